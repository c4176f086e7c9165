import { CHECKS } from 'format-checker-checks/internal/checks'
import { expect, test } from 'vitest'
import { describeVerdict } from '../src/describe-verdict.ts'

test('a refused value shows its place and hint in words', () => {
  expect(describeVerdict(CHECKS['pl-nip']('526O250274'))).toEqual([
    'invalid',
    expect.stringContaining('Character 4'),
    'look at character 4',
    expect.stringMatching(/^hint: A character looks like the right one but is another/),
  ])
})

test('a valid value shows its warnings in words', () => {
  expect(describeVerdict(CHECKS.email('jan@gmial.com')).slice(2)).toEqual([
    expect.stringMatching(/^warning: The domain differs by one slip/),
    'suggested domain: gmail.com',
  ])
})

test('codes of a newer service are shown as they are', () => {
  const { details, ...verdict } = CHECKS['pl-nip']('526O250274')
  const newer = { ...verdict, details: { ...details, hint: 'not_known_yet' as never } }
  expect(describeVerdict(newer).at(-1)).toBe('hint: not_known_yet')
})
