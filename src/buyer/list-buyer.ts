import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import { member } from './json.ts'
import { postJson } from './post-json.ts'
import type { NotSigned } from './purchase.ts'
import type { Reply, Send } from './reply.ts'
import { readRestReply } from './rest-reply.ts'
import { type Backoff, DEFAULT_BACKOFF, type FinalReply, retry } from './retry.ts'
import { termsInUsdc } from './wallet.ts'

export interface ListBuyerOptions {
  /** Base URL of the service. */
  readonly url: string
  readonly type: CheckType
  /** The most to pay for one value, in atomic units. */
  readonly maxAmount: bigint
}

/** Terms for a list of one length. */
export interface ListQuote {
  readonly kind: 'quoted'
  readonly required: PaymentRequired
  readonly terms: PaymentRequirements
  /** For the whole list, in atomic units. */
  readonly amount: bigint
}

/** Buys checks of whole lists with one payment each, over REST. */
export interface ListBuyer {
  /** Asks for the terms of a list; nothing is signed. Lists of one length share their terms. */
  quote(values: readonly string[]): Promise<ListQuote | NotSigned>
  /** Sends a signed payment for a list until its outcome is certain, or no retry is left. */
  send(values: readonly string[], payload: PaymentPayload): Promise<FinalReply<readonly Verdict[]>>
}

export function createListBuyer(options: ListBuyerOptions, backoff: Backoff = DEFAULT_BACKOFF): ListBuyer {
  const { url, type, maxAmount } = options
  const endpoint = new URL(`/api/validate/${type}/batch`, url)
  const quotes = new Map<number, ListQuote>()

  const call = async (values: readonly string[], headers = {}): Promise<Reply<readonly Verdict[]>> =>
    readRestReply(
      await postJson(endpoint, { values }, headers),
      (payload) => prepaid(values, payload),
      (json) => verdictsOf(json, values.length),
    )
  const prepaid = (values: readonly string[], payload: PaymentPayload): Send<readonly Verdict[]> => {
    const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
    return () => call(values, headers)
  }

  return {
    async quote(values) {
      const known = quotes.get(values.length)
      if (known !== undefined) return known
      const reply = await call(values).catch(() => null)
      if (reply === null) return { kind: 'unreachable', url }
      if (reply.kind !== 'unpaid') return refusalOf(reply)
      const terms = termsInUsdc(reply.required)
      if (terms === undefined || BigInt(terms.amount) > maxAmount * BigInt(values.length)) {
        return { kind: 'price_too_high', terms: terms ?? null }
      }
      const quote: ListQuote = {
        kind: 'quoted',
        required: reply.required,
        terms,
        amount: BigInt(terms.amount),
      }
      quotes.set(values.length, quote)
      return quote
    },
    send: (values, payload) => retry(prepaid(values, payload), backoff),
  }
}

const refusalOf = (reply: Exclude<Reply<unknown>, { kind: 'unpaid' }>): NotSigned =>
  reply.kind === 'sold'
    ? { kind: 'refused', status: 200, code: 'unknown', detail: 'The service answered without payment.' }
    : { kind: 'refused', status: reply.status, code: reply.code, detail: reply.detail }

/** Throws unless there is one result per value: such an answer proves nothing about the payment. */
function verdictsOf(json: unknown, count: number): readonly Verdict[] {
  const { results } = member(json)
  if (!Array.isArray(results) || results.length !== count) throw new Error('the answer has other results')
  return results as Verdict[]
}
