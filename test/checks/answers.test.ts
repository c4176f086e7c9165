import { expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'
import { digestOf, pinnedAnswers } from '../support/pinned-answers.ts'
import { vectors } from '../support/vectors.ts'

test.each(
  CHECK_TYPES,
)('%s: the same value gives the same bytes as long as the ruleset keeps its name', (type) => {
  const pinned = pinnedAnswers().filter((answer) => answer.type === type)
  const values = new Set(pinned.map(({ value }) => value))
  const missing = vectors(type).filter(({ value }) => !values.has(value))
  expect(missing, 'run node scripts/update-answers.ts').toEqual([])
  const changed = pinned.filter(({ value, digest }) => digestOf(CHECKS[type], value) !== digest)
  expect(
    changed.map(({ value }) => value),
    'give the ruleset a new name if this is meant, and run node scripts/update-answers.ts',
  ).toEqual([])
})
