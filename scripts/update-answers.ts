/**
 * Pins the answers of the checks again: `node scripts/update-answers.ts`. Run it when vectors or mistakes were added, whose
 * values it takes over, or together with a new ruleset name; then look at what changed. Other values are added by writing
 * them into `test/vectors/answers.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKS } from '../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../src/checks/verdict.ts'
import { digestOf } from '../test/support/pinned-answers.ts'
import { vectors } from '../test/support/vectors.ts'

const file = new URL('../test/vectors/answers.json', import.meta.url)
const pinned = JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, [string, string][]>>
const mistakes = [read('mistakes'), read('mistakes-held-out')].flat() as {
  readonly type: CheckType
  readonly value: string
}[]
const types = CHECK_TYPES.map((type) => {
  const values = [
    ...(pinned[type] ?? []).map(([value]) => value),
    ...vectorValues(type),
    ...mistakeValues(type),
  ]
  const lines = [...new Set(values)].map(
    (value) => `    ${JSON.stringify([value, digestOf(CHECKS[type], value)])}`,
  )
  return `  ${JSON.stringify(type)}: [\n${lines.join(',\n')}\n  ]`
})
writeFileSync(file, `{\n${types.join(',\n')}\n}\n`)

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../test/vectors/${name}.json`, import.meta.url), 'utf8'))
}

function vectorValues(type: CheckType): string[] {
  return vectors(type).map(({ value }) => value)
}

function mistakeValues(type: CheckType): string[] {
  return mistakes.filter((each) => each.type === type).map(({ value }) => value)
}
