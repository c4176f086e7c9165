import { expect, test } from 'vitest'
import { digestOf, pinnedAnswers, summaryOf } from '../../../test/support/pinned-answers.ts'
import { vectors } from '../../../test/support/vectors.ts'
import { CHECKS, RULESETS } from '../src/checks.ts'
import { CHECK_TYPES } from '../src/verdict.ts'

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
