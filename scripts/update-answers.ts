/**
 * Pins the answers of the checks again: `node scripts/update-answers.ts`. Run it only together with a new ruleset name, and
 * look at what changed. The values stay as they are; add one by writing it into `test/vectors/answers.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKS } from '../src/checks/checks.ts'
import { CHECK_TYPES } from '../src/checks/verdict.ts'
import { digestOf } from '../test/support/check-assertions.ts'

const file = new URL('../test/vectors/answers.json', import.meta.url)
const pinned = JSON.parse(readFileSync(file, 'utf8')) as Record<string, [string, string][]>
const types = CHECK_TYPES.map((type) => {
  const lines = pinned[type]!.map(
    ([value]) => `    ${JSON.stringify([value, digestOf(CHECKS[type], value)])}`,
  )
  return `  ${JSON.stringify(type)}: [\n${lines.join(',\n')}\n  ]`
})
writeFileSync(file, `{\n${types.join(',\n')}\n}\n`)
