import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import { expect, test } from 'vitest'
import { readRestReply } from '../../src/buyer/rest-reply.ts'

const settlement: SettleResponse = { success: true, transaction: '0x1', network: 'eip155:8453' }
const required: PaymentRequired = {
  x402Version: 2,
  resource: { url: 'https://checks.example/' },
  accepts: [],
}
const RECEIPT = { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settlement) }
const TERMS = { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(required) }
const WAIT = { 'Retry-After': '7' }
const refusal = (status: number, code = 'said') => ({ status, code, detail: 'In words.' })
const retry = { kind: 'retry', charged: 'unknown', retryAfterSeconds: 7 }

test.each<[string, number, Record<string, string>, object]>([
  ['what was sold', 200, RECEIPT, { kind: 'sold', result: 'said', settlement, replayed: false }],
  [
    'what was sold before',
    200,
    { ...RECEIPT, 'Payment-Replayed': 'true' },
    { kind: 'sold', result: 'said', settlement, replayed: true },
  ],
  ['terms', 402, TERMS, { kind: 'unpaid', ...refusal(402), required }],
  [
    'terms after a refused settlement',
    402,
    { ...TERMS, ...RECEIPT },
    { kind: 'unpaid', ...refusal(402), required },
  ],
  ['a refusal that names the charge', 409, RECEIPT, { kind: 'refused', ...refusal(409), settlement }],
  ['a refusal', 409, {}, { kind: 'refused', ...refusal(409) }],
  ['a refusal with terms under another status', 409, TERMS, { kind: 'refused', ...refusal(409) }],
  ['a failure that names a charge', 503, { ...RECEIPT, ...WAIT }, { ...retry, ...refusal(503) }],
])('reads %s', (_what, status, headers, expected) => {
  const json = { code: 'said', detail: 'In words.' }
  expect(readRestReply({ status, headers: new Headers(headers), json }, () => 'said')).toEqual(expected)
})

test('a free answer has no code, so that it is asked for again', () => {
  expect(readRestReply({ status: 200, headers: new Headers(), json: {} }, () => 'said')).toEqual({
    ...{ kind: 'retry', charged: 'unknown', status: 200, code: 'unknown', detail: '' },
  })
})
