import { expect, test } from 'vitest'
import type { Authorization } from '../../../src/payments/authorization/authorization.ts'
import { judgeWindow } from '../../../src/payments/authorization/validity-window.ts'

const NOW = 1_800_000_000
const judged = (validAfter: number, validBefore: number) =>
  judgeWindow(
    { validAfter: BigInt(NOW + validAfter), validBefore: BigInt(NOW + validBefore) } as Authorization,
    NOW,
  )

test.each([
  ['begins three seconds ago', -3, 60, null],
  ['begins two seconds ago', -2, 60, 'payment_not_yet_valid'],
  ['has ten seconds left', -60, 10, null],
  ['has nine seconds left', -60, 9, 'payment_expired'],
  ['ends after two minutes and a clock that is five minutes off', -60, 420, null],
  ['ends a second later', -60, 421, 'payment_valid_too_long'],
])('an authorization that %s', (_, validAfter, validBefore, code) => {
  expect(judged(validAfter, validBefore)).toBe(code)
})
