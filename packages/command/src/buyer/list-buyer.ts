import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import { clockFault, type ServiceClock } from './clocks.ts'
import { member } from './json.ts'
import { postJson } from './post-json.ts'
import type { NotSigned, PurchaseOptions } from './purchase.ts'
import { verdictOf } from './read-answer.ts'
import { readRestReply } from './rest-reply.ts'
import { type Backoff, type FinalReply, retry } from './retry.ts'
import { offeredIn, TERMS_LIFE_MS } from './signable-terms.ts'

export interface ListBuyerOptions extends Pick<PurchaseOptions, 'url' | 'maxAmount' | 'network'> {
  /** Absent if the values differ in type. */
  readonly type?: CheckType | undefined
}

export interface ListQuote {
  readonly kind: 'quoted'
  readonly required: PaymentRequired
  readonly terms: PaymentRequirements
  readonly clock?: ServiceClock | undefined
  /** For the whole list, in atomic units. */
  readonly amount: bigint
}

export interface TypedValue {
  readonly type: CheckType
  readonly value: string
}

/** Buys checks of whole lists with one payment each, over REST. */
export interface ListBuyer {
  /**
   * Signs nothing. Lists of equal length share terms for ten minutes, or until the service refuses a payment by them.
   */
  quote(items: readonly TypedValue[]): Promise<ListQuote | NotSigned>
  send(items: readonly TypedValue[], payload: PaymentPayload): Promise<FinalReply<readonly Verdict[]>>
}

export function createListBuyer(options: ListBuyerOptions, backoff?: Backoff): ListBuyer {
  const { url, type } = options
  const endpoint = new URL(`/api/validate/${type === undefined ? '' : `${type}/`}batch`, url)
  const bodyOf = (items: readonly TypedValue[]) =>
    type === undefined ? { items } : { values: items.map(({ value }) => value) }
  /** By length; a service bounds how many there are. */
  const quotes = new Map<number, { readonly quote: ListQuote; readonly until: number }>()

  const call = async (items: readonly TypedValue[], headers = {}) =>
    readRestReply(await postJson(endpoint, bodyOf(items), headers), (json) => verdictsOf(json, items.length))

  return {
    async quote(items) {
      const known = quotes.get(items.length)
      if (known !== undefined && performance.now() < known.until && clockFault(known.quote) === null)
        return known.quote
      const reply = await call(items).catch(() => null)
      if (reply === null) return { kind: 'unreachable', url }
      const offer = offeredIn(reply, { ...options, maxAmount: options.maxAmount * BigInt(items.length) })
      if (offer.kind !== 'offered') return offer
      const { required, terms, clock } = offer
      const quote: ListQuote = { kind: 'quoted', required, terms, clock, amount: BigInt(terms.amount) }
      quotes.set(items.length, { quote, until: performance.now() + TERMS_LIFE_MS })
      return quote
    },
    async send(items, payload) {
      const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) }
      const reply = await retry(() => call(items, headers), backoff)
      if (reply.kind === 'unpaid') quotes.delete(items.length)
      return reply
    },
  }
}

/** Throws unless there is one verdict per value: another answer proves nothing about the payment. */
function verdictsOf(json: unknown, count: number): readonly Verdict[] {
  const { results } = member(json)
  if (!Array.isArray(results) || results.length !== count) throw new Error('the answer has other results')
  return results.map(verdictOf)
}
