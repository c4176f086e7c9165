import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import { postJson } from './post-json.ts'
import type { CheckClient } from './reply.ts'
import { readRestReply } from './rest-reply.ts'

/** Buys over REST: terms and payment travel in headers (x402 version 2, transports-v2/http). */
export function openRestClient(url: string, type: CheckType): CheckClient {
  const endpoint = new URL(`/api/validate/${type}`, url)
  const call = async (value: string, headers = {}) =>
    readRestReply(
      await postJson(endpoint, { value }, headers),
      (payload) => prepaid(value, payload),
      (json) => json as Verdict,
    )
  const prepaid: CheckClient['prepaid'] = (value, payload) => {
    const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
    return () => call(value, headers)
  }
  return { ask: (value) => call(value), prepaid }
}
