import type { ServerResponse } from 'node:http'
import type { SettleResponse } from '@x402/core/types'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { type HeaderList, preparedBody, sendBody, whenDelivered } from '../../http/body/send.ts'
import { asksForChannels } from '../../http/headers/channels-header.ts'
import { DISCOVERY_V1, LIST_DISCOVERY_V1 } from '../../payments/extensions/discovery.ts'
import { retryAfterOf } from '../../payments/ports/consequences.ts'
import type { Declined, Purchase, Sale, Sold, Unpaid } from '../../payments/ports/sale.ts'
import { quoteFor } from '../../payments/terms/quote-for.ts'
import { receiptHeaderV1 } from '../../payments/terms/terms-v1.ts'
import { encodeHeader } from '../../values/json.ts'
import { type QuoteReplies, quoteReplies } from './quote-bodies.ts'

type Shape = Purchase['shape']

/** `version1` if the payment came by `X-PAYMENT`. */
export type Reply = (res: ServerResponse, sale: Sale, version1?: boolean) => void

export function saleReply(baseUrl: string, sendProblem: SendProblem, shape: Shape): Reply {
  const quoteReply = quoteReplies(baseUrl, shape === 'single' ? DISCOVERY_V1 : LIST_DISCOVERY_V1)
  return function reply(res, sale, version1 = false) {
    if (sale.kind === 'sold') replySold(res, sale, version1)
    else if (sale.kind === 'unpaid') replyUnpaid(res, sale, version1, quoteReply)
    else replyDeclined(res, sale, sendProblem)
  }
}

export const PAID_HEADERS: HeaderList = [
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Cache-Control', 'no-store'],
]

function replySold(res: ServerResponse, sold: Sold, version1: boolean): void {
  setAccessLogFields(res, { code: sold.replayed ? 'replayed' : 'sold' })
  const headers = [...PAID_HEADERS, ...receiptHeaders(sold.settlement, version1)]
  if (sold.replayed) headers.push('Payment-Replayed', 'true')
  if (sold.rulesetChanged) headers.push('X-Ruleset-Changed', 'true')
  whenDelivered(res, sold.delivered)
  sendBody(res, 200, headers, preparedBody(sold.json().answer))
}

function replyUnpaid(res: ServerResponse, unpaid: Unpaid, version1: boolean, quoteReply: QuoteReplies): void {
  setAccessLogFields(res, { code: unpaid.code })
  const quote = quoteFor(unpaid.quote, asksForChannels(res.req))
  const { headers, body } = quoteReply(quote, unpaid.code, unpaid.serverTime)
  const { settlement } = unpaid
  const all = settlement === undefined ? headers : [...receiptHeaders(settlement, version1), ...headers]
  sendBody(res, 402, all, body)
}

function replyDeclined(res: ServerResponse, declined: Declined, sendProblem: SendProblem): void {
  const { code, settlement } = declined
  const receipt = settlement && encodeHeader(settlement)
  const headers = { 'Retry-After': retryAfterOf(declined), 'PAYMENT-RESPONSE': receipt }
  sendProblem(res, code, { headers })
}

/** Clients of x402 version 1 read the receipt in a header of their own. */
function receiptHeaders(settlement: SettleResponse, version1: boolean): HeaderList {
  const headers = ['PAYMENT-RESPONSE', encodeHeader(settlement)]
  return version1 ? [...headers, 'X-PAYMENT-RESPONSE', receiptHeaderV1(settlement)] : headers
}
