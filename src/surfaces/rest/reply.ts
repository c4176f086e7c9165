/** One sale translated into one HTTP answer. */
import type { ServerResponse } from 'node:http'
import type { SettleResponse } from '@x402/core/types'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { preparedBody, sendBody } from '../../http/body/send.ts'
import { whenDelivered } from '../../http/body/when-delivered.ts'
import type { HeaderList } from '../../http/headers/buffered-headers.ts'
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

const VERDICT_HEADERS: HeaderList = [
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Cache-Control', 'no-store'],
]

function replySold(res: ServerResponse, sold: Sold): void {
  setAccessLogFields(res, { code: sold.replayed ? 'replayed' : 'sold' })
  const headers = [...VERDICT_HEADERS, 'PAYMENT-RESPONSE', receiptHeader(sold.settlement)]
  if (sold.replayed) headers.push('Payment-Replayed', 'true')
  if (sold.rulesetChanged) headers.push('X-Ruleset-Changed', 'true')

  whenDelivered(res, sold.delivered)
  sendBody(res, 200, headers, preparedBody(JSON.stringify(sold.verdict)))
}

function replyUnpaid(res: ServerResponse, unpaid: Unpaid, quoteReply: QuoteReplies): void {
  setAccessLogFields(res, { code: unpaid.code })
  const { headers, body } = quoteReply(unpaid.quote, unpaid.code, unpaid.serverTime)
  const receipt =
    unpaid.settlement === undefined ? [] : ['PAYMENT-RESPONSE', receiptHeader(unpaid.settlement)]
  sendBody(res, 402, receipt.length === 0 ? headers : [...receipt, ...headers], body)
}

function replyDeclined(res: ServerResponse, declined: Declined, sendProblem: SendProblem): void {
  const seconds = declined.retryAfterSeconds ?? DEFAULT_RETRY_AFTER[declined.code]
  sendProblem(res, declined.code, seconds === undefined ? {} : { headers: { 'Retry-After': seconds } })
}

/** `PAYMENT-RESPONSE` as the x402 core encodes it: base64 of the JSON in UTF-8. */
const receiptHeader = (settlement: SettleResponse): string =>
  Buffer.from(JSON.stringify(settlement)).toString('base64')
