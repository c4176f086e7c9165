import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { CheckType } from 'format-checker-checks/verdict'
import { postJson } from './post-json.ts'
import { verdictOf } from './read-answer.ts'
import type { CheckClient } from './reply.ts'
import { readRestReply } from './rest-reply.ts'

export function openRestClient(url: string, type: CheckType, root = '/api'): CheckClient {
  const endpoint = new URL(`${root}/validate/${type}`, url)
  const call = async (value: string, headers = {}) =>
    readRestReply(await postJson(endpoint, { value }, headers), verdictOf)
  return {
    ask: (value) => call(value),
    prepaid(value, payload) {
      const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
      return () => call(value, headers)
    },
  }
}
