/** `GET /api/channel`: without a payment the terms of payment channels, with one of type refund pays back what is left. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { preparedBody, sendBody } from '../../http/body/send.ts'
import { handleError } from '../../http/error-handler.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { attemptOf, type UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import { CHANNEL_PATH } from '../../payments/channels/refunds/channel-quote.ts'
import type { Refund, RefundOutcome } from '../../payments/channels/refunds/refund-channel.ts'
import { consequenceOf } from '../../payments/ports/consequences.ts'
import { encodeHeader } from '../../values/json.ts'
import { PAID_HEADERS, type Reply } from './reply.ts'

export interface ChannelDeps {
  readonly refund: Refund
  readonly limiter: UnpaidLimiter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

/** `reply` writes every outcome but a refund. */
export function channelHandler(deps: ChannelDeps, reply: Reply): Handler {
  const { refund, limiter, sendProblem } = deps
  const refuseMethod = methodNotAllowed(sendProblem, ['GET'])

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const rawPayment = readPaymentHeader(req)
    const attempt = attemptOf(rawPayment)
    const wait = limiter.blocked(req, attempt)
    if (wait !== undefined)
      return reply(res, { kind: 'declined', code: 'too_many_requests', retryAfterSeconds: wait })
    // An empty text is a malformed payment.
    const outcome = await refund(rawPayment.kind === 'repeated' ? { kind: 'text', text: '' } : rawPayment)
    if (outcome.kind === 'refunded') return sendRefund(res, outcome)
    if (consequenceOf(outcome.code).counted) limiter.hit(req, attempt)
    reply(res, outcome)
  }

  return function channel(req, res) {
    setAccessLogFields(res, { route: CHANNEL_PATH, surface: 'rest' })
    if (req.method !== 'GET') return refuseMethod(req, res)
    answer(req, res).catch((error: unknown) => handleError(deps, error, res))
  }
}

function sendRefund(
  res: ServerResponse,
  { amount, settlement }: Extract<RefundOutcome, { kind: 'refunded' }>,
): void {
  setAccessLogFields(res, { code: 'refunded' })
  const headers = [...PAID_HEADERS, 'PAYMENT-RESPONSE', encodeHeader(settlement)]
  const body = { refunded: amount.toString(), transaction: settlement.transaction }
  sendBody(res, 200, headers, preparedBody(JSON.stringify(body)))
}
