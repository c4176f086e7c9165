import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { CheckType } from '../checks/verdict.ts'
import { postJson } from './post-json.ts'
import { verdictOf } from './read-answer.ts'
import type { CheckClient } from './reply.ts'
import { readRestReply } from './rest-reply.ts'

/** Buys over REST: terms and payment travel in headers (x402 version 2, transports-v2/http); `asking`: more headers. */
export function openRestClient(url: string, type: CheckType, asking = {}): CheckClient {
  const endpoint = new URL(`/api/validate/${type}`, url)
  const call = async (value: string, headers = {}) =>
    readRestReply(
      await postJson(endpoint, { value }, { ...asking, ...headers }),
      (payload) => prepaid(value, payload),
      verdictOf,
    )
  const prepaid: CheckClient['prepaid'] = (value, payload) => {
    const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
    return () => call(value, headers)
  }
  return { ask: (value) => call(value), prepaid }
}
