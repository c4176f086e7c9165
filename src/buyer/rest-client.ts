import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import { member, textOf } from './json.ts'
import { type HttpReply, postJson } from './post-json.ts'
import { type CheckClient, type Pay, type Reply, refusedOrRetry, UNKNOWN } from './reply.ts'

/** Buys over REST: terms and payment travel in headers (x402 version 2, transports-v2/http). */
export function openRestClient(url: string, type: CheckType): CheckClient {
  const endpoint = new URL(`/api/validate/${type}`, url)
  const call = async (value: string, headers = {}) =>
    read(await postJson(endpoint, { value }, headers), (payload) => prepaid(value, payload))
  const prepaid: CheckClient['prepaid'] = (value, payload) => {
    const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
    return () => call(value, headers)
  }
  return { ask: (value) => call(value), prepaid }
}

function read({ status, headers, json }: HttpReply, pay: Pay): Reply {
  const receipt = headers.get('PAYMENT-RESPONSE')
  if (status === 200 && receipt !== null) {
    const settlement = decodePaymentResponseHeader(receipt)
    const replayed = headers.get('Payment-Replayed') === 'true'
    return { kind: 'sold', result: json as Verdict, settlement, replayed }
  }
  const problem = member(json)
  const refusal = { status, code: textOf(problem, 'code', UNKNOWN), detail: textOf(problem, 'detail') }
  const terms = headers.get('PAYMENT-REQUIRED')
  if (status === 402 && terms !== null) {
    return { kind: 'unpaid', ...refusal, required: decodePaymentRequiredHeader(terms), pay }
  }
  return refusedOrRetry(refusal, headers.get('Retry-After'))
}
