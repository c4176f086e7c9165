/**
 * Pins the answers of the checks again: `node scripts/update-answers.ts`. Run it when vectors or mistakes were added, whose
 * values it takes over, or after a ruleset got a new name; then look at what changed. Other values are added by writing them
 * into `test/vectors/answers.json`.
 *
 * Exits with 1 and writes nothing if answers changed under a ruleset that has its old name: whether a change is meant is for
 * a person to decide.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKS, RULESETS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { digestOf, PINNED_FILE, pinnedAnswers, summaryOf } from '../test/support/pinned-answers.ts'
import { vectors } from '../test/support/vectors.ts'

const pinned = pinnedAnswers()
const mistakes = [read('mistakes'), read('mistakes-held-out')].flat() as {
  readonly type: CheckType
  readonly value: string
}[]

const unnamed = CHECK_TYPES.filter((type) => {
  const old = pinned[type]
  return old?.ruleset === RULESETS[type] && digestOf(type, Object.keys(old.answers)) !== old.digest
})
if (unnamed.length > 0) {
  console.error(`Answers changed. Give these rulesets a new name first: ${unnamed.join(', ')}`)
  process.exit(1)
}

const types = CHECK_TYPES.map((type) => {
  const values = [...Object.keys(pinned[type]?.answers ?? {}), ...vectorValues(type), ...mistakeValues(type)]
  const answers = Object.fromEntries(values.map((value) => [value, summaryOf(CHECKS[type](value))]))
  return [type, { ruleset: RULESETS[type], digest: digestOf(type, Object.keys(answers)), answers }]
})
writeFileSync(PINNED_FILE, `${JSON.stringify(Object.fromEntries(types), null, 2)}\n`)

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../test/vectors/${name}.json`, import.meta.url), 'utf8'))
}

function vectorValues(type: CheckType): string[] {
  return vectors(type).map(({ value }) => value)
}

function mistakeValues(type: CheckType): string[] {
  return mistakes.filter((each) => each.type === type).map(({ value }) => value)
}
