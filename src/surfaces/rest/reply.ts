import type { ServerResponse } from 'node:http'
import type { SendProblem } from '../../http/body/problem.ts'
import { type HeaderList, preparedBody, sendBody, whenDelivered } from '../../http/body/send.ts'
import { DISCOVERY_V1, LIST_DISCOVERY_V1 } from '../../payments/extensions/discovery.ts'
import type { Purchase, Sold, Unpaid } from '../../payments/ports/sale.ts'
import { encodeHeader } from '../../values/json.ts'
import { receiptHeaders } from '../call/receipt-headers.ts'
import type { DeclinedReply } from '../call/reply.ts'
import { quoteReplies } from './quote-bodies.ts'

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
    const { settlement } = reply
    if (reply.kind === 'declined') {
      const receipt = settlement && encodeHeader(settlement)
      const headers = { 'Retry-After': reply.retryAfterSeconds, 'PAYMENT-RESPONSE': receipt }
      return sendProblem(res, reply.code, { headers })
    }
    const receipt =
      settlement === undefined ? [] : Object.entries(receiptHeaders(settlement, version1)).flat()
    if (reply.kind === 'unpaid') {
      const { headers, body } = quoteReply(reply)
      return sendBody(res, 402, [...receipt, ...headers], body)
    }
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
