import { expect, test } from 'vitest'
import { CHECKS, RULESETS } from '../../src/checks/checks.ts'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'
import { digestOf, pinnedAnswers, summaryOf } from '../support/pinned-answers.ts'
import { vectors } from '../support/vectors.ts'

test.each(
  CHECK_TYPES,
)('%s: the same value gives the same bytes as long as the ruleset keeps its name', (type) => {
  const { ruleset, digest, answers } = pinnedAnswers()[type]!
  const missing = vectors(type).filter(({ value }) => !Object.hasOwn(answers, value))
  expect(missing, 'run node scripts/update-answers.ts').toEqual([])
  const changed = Object.entries(answers).filter(([value, said]) => summaryOf(CHECKS[type](value)) !== said)
  const advice = 'give the ruleset a new name if this is meant, and run node scripts/update-answers.ts'
  expect(changed, advice).toEqual([])
  expect(digestOf(type, Object.keys(answers)), advice).toBe(digest)
  expect(ruleset, 'run node scripts/update-answers.ts').toBe(RULESETS[type])
})
