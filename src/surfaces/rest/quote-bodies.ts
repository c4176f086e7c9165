/**
 * The 402 for clients of both x402 versions: version 2 reads the terms in `PAYMENT-REQUIRED`, version 1 reads `accepts` in
 * the body, which is therefore in its form.
 */
import { PROBLEM_TYPE, problemOf } from '../../http/body/problem.ts'
import { type HeaderList, type PreparedBody, preparedBody } from '../../http/body/send.ts'
import type { Quote, UnpaidCode } from '../../payments/ports/sale.ts'
import { priceOf } from '../../payments/terms/quote-for.ts'
import { paymentRequiredV1 } from '../../payments/terms/terms-v1.ts'

export interface QuoteReply {
  readonly headers: HeaderList
  readonly body: PreparedBody
}

/** `serverTime` (UTC seconds) is given if the payment was refused for its times. */
export type QuoteReplies = (quote: Quote, code: UnpaidCode, serverTime?: number) => QuoteReply

/** Replies without a time are cached, one per quote and code: they are the same for every client. */
export function quoteReplies(baseUrl: string, discovery: Record<string, unknown>): QuoteReplies {
  const kept = new WeakMap<Quote, Map<UnpaidCode, QuoteReply>>()

  const build = (quote: Quote, code: UnpaidCode, serverTime?: number): QuoteReply => {
    const required = quote.required(code)
    const members = { price: `$${priceOf(required)}`, ...(serverTime === undefined ? {} : { serverTime }) }
    const terms = paymentRequiredV1(required, discovery)
    const problem = { ...problemOf(baseUrl, code), ...members, ...terms }
    const headers = [
      ...['Content-Type', PROBLEM_TYPE],
      ...['Cache-Control', 'no-store'],
      ...['PAYMENT-REQUIRED', quote.header(code)],
    ]
    return { headers, body: preparedBody(JSON.stringify(problem)) }
  }

  return function quoteReply(quote, code, serverTime) {
    if (serverTime !== undefined) return build(quote, code, serverTime)
    const replies = kept.get(quote) ?? new Map<UnpaidCode, QuoteReply>()
    const reply = replies.get(code) ?? build(quote, code)
    kept.set(quote, replies.set(code, reply))
    return reply
  }
}
