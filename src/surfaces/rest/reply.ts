import type { ServerResponse } from 'node:http'
import type { SendProblem } from '../../http/body/problem.ts'
import { type HeaderList, preparedBody, sendBody, whenDelivered } from '../../http/body/send.ts'
import { DISCOVERY_V1, LIST_DISCOVERY_V1 } from '../../payments/extensions/discovery.ts'
import type { Purchase, Sold, Unpaid } from '../../payments/ports/sale.ts'
import { encodeHeader } from '../../values/json.ts'
import { receiptHeaders } from '../call/receipt-headers.ts'
import type { DeclinedReply } from '../call/reply.ts'
import { type QuoteReplies, quoteReplies } from './quote-bodies.ts'

type Shape = Purchase['shape']

/** `version1` if the payment came by `X-PAYMENT`. */
export type SendReply = (
  res: ServerResponse,
  reply: Sold | Unpaid | DeclinedReply,
  version1?: boolean,
) => void

export function replySender(baseUrl: string, sendProblem: SendProblem, shape: Shape): SendReply {
  const quoteReply = quoteReplies(baseUrl, shape === 'single' ? DISCOVERY_V1 : LIST_DISCOVERY_V1)
  return function sendReply(res, reply, version1 = false) {
    if (reply.kind === 'unpaid') return sendTerms(res, reply, version1, quoteReply)
    if (reply.kind === 'declined') return sendDeclined(res, reply, sendProblem)
    const receipt = Object.entries(receiptHeaders(reply.settlement, version1)).flat()
    const headers = [...PAID_HEADERS, ...receipt]
    if (reply.replayed) headers.push('Payment-Replayed', 'true')
    if (reply.rulesetChanged) headers.push('X-Ruleset-Changed', 'true')
    whenDelivered(res, reply.delivered)
    sendBody(res, 200, headers, preparedBody(reply.json().answer))
  }
}

export const PAID_HEADERS: HeaderList = [
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Cache-Control', 'no-store'],
]

function sendTerms(res: ServerResponse, unpaid: Unpaid, version1: boolean, quoteReply: QuoteReplies): void {
  const { headers, body } = quoteReply(unpaid)
  const { settlement } = unpaid
  const receipt = settlement === undefined ? {} : receiptHeaders(settlement, version1)
  sendBody(res, 402, [...Object.entries(receipt).flat(), ...headers], body)
}

function sendDeclined(res: ServerResponse, declined: DeclinedReply, sendProblem: SendProblem): void {
  const { code, settlement, retryAfterSeconds } = declined
  const receipt = settlement && encodeHeader(settlement)
  sendProblem(res, code, { headers: { 'Retry-After': retryAfterSeconds, 'PAYMENT-RESPONSE': receipt } })
}
