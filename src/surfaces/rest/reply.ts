/** One sale translated into one HTTP answer. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { encodePaymentResponseHeader } from '@x402/core/http'
import { noteFacts } from '../../http/facts.ts'
import type { SendProblem } from '../../http/problem.ts'
import { whenDelivered } from '../../http/when-delivered.ts'
import type { Declined, DeclinedCode, Sale, Sold, Unpaid } from '../../payments/sale.ts'
import { type QuoteReplies, quoteReplies } from './quote-bodies.ts'

/** Seconds a client is asked to wait where the sale names none. */
const DEFAULT_RETRY_AFTER: Partial<Record<DeclinedCode, number>> = {
  too_many_requests: 60,
  payment_in_doubt: 5,
  facilitator_unavailable: 10,
  store_unavailable: 10,
  shutting_down: 2,
}

/** Writes the answer to a sale. */
export type Reply = (res: ServerResponse, sale: Sale) => void

/** Builds the translator; quotes are serialised once. */
export function saleReply(baseUrl: string, sendProblem: SendProblem): Reply {
  const quoteReply = quoteReplies(baseUrl)
  return function reply(res, sale) {
    if (sale.kind === 'sold') replySold(res, sale)
    else if (sale.kind === 'unpaid') replyUnpaid(res, sale, quoteReply)
    else replyDeclined(res, sale, sendProblem)
  }
}

function replySold(res: ServerResponse, sold: Sold): void {
  noteFacts(res, { code: sold.replayed ? 'replayed' : 'sold' })
  const body = Buffer.from(JSON.stringify(sold.verdict))
  const headers: OutgoingHttpHeaders = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'PAYMENT-RESPONSE': encodePaymentResponseHeader(sold.settlement),
  }
  if (sold.replayed) headers['Payment-Replayed'] = 'true'
  if (sold.rulesetChanged) headers['X-Ruleset-Changed'] = 'true'

  whenDelivered(res, sold.delivered)
  res.writeHead(200, headers).end(body)
}

function replyUnpaid(res: ServerResponse, unpaid: Unpaid, quoteReply: QuoteReplies): void {
  noteFacts(res, { code: unpaid.code })
  const { headers, body } = quoteReply(unpaid.quote, unpaid.code, unpaid.serverTime)
  if (unpaid.settlement !== undefined) {
    res.setHeader('PAYMENT-RESPONSE', encodePaymentResponseHeader(unpaid.settlement))
  }
  res.writeHead(402, headers).end(body)
}

function replyDeclined(res: ServerResponse, declined: Declined, sendProblem: SendProblem): void {
  const seconds = declined.retryAfterSeconds ?? DEFAULT_RETRY_AFTER[declined.code]
  sendProblem(res, declined.code, seconds === undefined ? {} : { headers: { 'Retry-After': seconds } })
}
