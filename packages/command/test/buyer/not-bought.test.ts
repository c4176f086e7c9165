import { expect, test } from 'vitest'
import { ERRORS } from '../../../../src/errors.ts'
import { PROMISES } from '../../../../test/support/promises.ts'
import { isNeverCharged, notBought } from '../../src/buyer/not-bought.ts'

test('exactly the codes that promise it are taken to mean that nothing is charged', () => {
  const codes = [...Object.keys(ERRORS), ...Object.keys(PROMISES), 'unknown', 'no_answer', '']
  const promised = Object.entries(PROMISES).filter(([, promise]) => promise === 'never')
  expect(new Set(codes.filter(isNeverCharged))).toEqual(new Set(promised.map(([code]) => code)))
})

const payload = { payload: { authorization: { from: '0xpayer', nonce: '0xnonce' } } } as never
const STATE = 'https://checks.example/payments/0xpayer/0xnonce'
const free = { kind: 'refused', signed: true, payer: '0xpayer' }
const open = { kind: 'in_doubt', state: STATE }

test.each([
  ['refused', 'payment_expired', free],
  ['unpaid', 'payment_expired', free],
  ['in_doubt', 'payment_expired', open],
  ['in_doubt', 'facilitator_unavailable', open],
  ['refused', 'too_many_requests', free],
  ['unpaid', 'too_many_requests', open],
  ['refused', 'payment_in_doubt', open],
  ['refused', 'payment_refused', open],
] as const)('a payment that is %s for %s', (kind, code, expected) => {
  const refusal = { status: 402, code, detail: 'In words.' }
  const reply = { kind, ...refusal, required: {} as never, retryAfterSeconds: 9 }
  expect(notBought(reply, payload, 'https://checks.example/')).toEqual({ ...refusal, ...expected })
})
