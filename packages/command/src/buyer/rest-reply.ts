import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { isObject } from '../../../../src/values/json.ts'
import { member, textOf } from './json.ts'
import type { HttpReply } from './post-json.ts'
import { settlementOf } from './read-answer.ts'
import { type Reply, refusedOrRetry, UNKNOWN } from './reply.ts'

/** Terms, payment and receipt are in headers (x402 version 2, transports-v2/http). */
export function readRestReply<T>(
  { status, headers, clock, json }: HttpReply,
  resultOf: (json: unknown) => T,
): Reply<T> {
  const receipt = headers.get('PAYMENT-RESPONSE')
  if (status === 200 && receipt !== null) {
    const settlement = settlementOf(decodePaymentResponseHeader(receipt))
    const replayed = headers.get('Payment-Replayed') === 'true'
    return { kind: 'sold', result: resultOf(json), settlement, replayed }
  }
  const problem = member(json)
  const refusal = { status, code: textOf(problem, 'code', UNKNOWN), detail: textOf(problem, 'detail') }
  const terms = headers.get('PAYMENT-REQUIRED')
  if (status === 402 && terms !== null) {
    const required = decodePaymentRequiredHeader(terms)
    if (!isObject(required)) throw new Error('the terms are no object')
    return { kind: 'unpaid', ...refusal, required, clock }
  }
  const reply = refusedOrRetry(refusal, headers.get('Retry-After'))
  if (reply.kind !== 'refused' || receipt === null) return reply
  return { ...reply, settlement: decodePaymentResponseHeader(receipt) }
}
