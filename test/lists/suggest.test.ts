import { CHECKS } from 'format-checker-checks/internal/checks'
import { expect, test } from 'vitest'
import { type Checked, checkedOf } from '../../src/lists/results.ts'
import { suggest } from '../../src/lists/suggest.ts'

const PL = 'PL61109010140000071219812874'
const INVALID = { kind: 'checked', valid: false, code: 'checksum', reason: 'No.', normalized: null } as const

type Advice = Pick<Checked, 'hint' | 'places' | 'lengths'>

test.each<[string, Advice, string]>([
  ['jan@example,pl', { hint: 'use_dot', places: [11] }, 'jan@example.pl'],
  ['123', { hint: 'leading_zero_lost', lengths: [5] }, '00123'],
])('the hint for %s is followed', (value, advice, suggested) => {
  expect(suggest(value, { ...INVALID, ...advice }, (each) => each !== value)).toBe(suggested)
})

test.each<[string, Advice]>([
  ['behind the value', { hint: 'use_dot', places: [99] }],
  ['before it', { hint: 'use_dot', places: [-99] }],
  ['of a gigabyte', { hint: 'leading_zero_lost', lengths: [1e9] }],
  ['without end', { hint: 'leading_zero_lost', lengths: [Number.POSITIVE_INFINITY] }],
])('a place or a length %s, which a service may send, suggests nothing', (_what, advice) => {
  expect(suggest('123', { ...INVALID, ...advice }, () => true)).toBeNull()
})

test('of a million lengths a few are tried', () => {
  const lengths = Array.from({ length: 1_000_000 }, (_, at) => 5 + at / 1e6)
  let tried = 0
  suggest('123', { ...INVALID, hint: 'leading_zero_lost', lengths }, () => {
    tried += 1
    return false
  })
  expect(tried).toBeLessThan(200)
})

test.each([
  '61109010140000071219812874',
  '61 1090 1014 0000 0712 1981 2874',
  'Nr konta: 61109010140000071219812874',
])('%s gets PL in front, and nothing else does', (value) => {
  const suggested = (given: string) =>
    suggest(given, checkedOf(CHECKS.iban(given)), (each) => CHECKS.iban(each).valid)
  expect(suggested(value)?.replaceAll(' ', '')).toBe(PL)
  expect(suggested(value.replace(/4$/, '5'))).toBeNull()
})
