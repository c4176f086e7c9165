/**
 * The 402 for clients of both x402 versions: version 2 reads the terms in `PAYMENT-REQUIRED`, version 1 reads `accepts` in
 * the body, which is therefore in its form.
 */
import { ERRORS, type UnpaidCode } from '../../errors.ts'
import { PROBLEM_TYPE, problemOf } from '../../http/body/problem.ts'
import { type HeaderList, type PreparedBody, preparedBody } from '../../http/body/send.ts'
import type { Quote, Unpaid } from '../../payments/ports/sale.ts'
import { priceOf } from '../../payments/terms/quote-for.ts'
import { paymentRequiredV1 } from '../../payments/terms/terms-v1.ts'

export interface QuoteReply {
  readonly headers: HeaderList
  readonly body: PreparedBody
}

export type QuoteReplies = (unpaid: Pick<Unpaid, 'quote' | 'code' | 'serverTime' | 'why'>) => QuoteReply

/** Replies without a time or a reason are cached, one per quote and code: they are the same for every client. */
export function quoteReplies(baseUrl: string, discovery: Record<string, unknown>): QuoteReplies {
  const kept = new WeakMap<Quote, Map<UnpaidCode, QuoteReply>>()

  const build: QuoteReplies = ({ quote, code, serverTime, why }) => {
    const required = quote.required(code)
    const members = {
      ...(why === undefined ? {} : { detail: `${ERRORS[code].detail} ${why}` }),
      price: `$${priceOf(required)}`,
      serverTime,
    }
    const terms = paymentRequiredV1(required, discovery)
    const problem = { ...problemOf(baseUrl, code), ...members, ...terms }
    const headers = [
      ...['Content-Type', PROBLEM_TYPE],
      ...['Cache-Control', 'no-store'],
      ...['PAYMENT-REQUIRED', quote.header(code)],
    ]
    return { headers, body: preparedBody(JSON.stringify(problem)) }
  }

  return function quoteReply(unpaid) {
    const { quote, code } = unpaid
    if (unpaid.serverTime !== undefined || unpaid.why !== undefined) return build(unpaid)
    const replies = kept.get(quote) ?? new Map<UnpaidCode, QuoteReply>()
    const reply = replies.get(code) ?? build(unpaid)
    kept.set(quote, replies.set(code, reply))
    return reply
  }
}
