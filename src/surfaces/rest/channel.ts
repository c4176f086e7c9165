/** `GET /api/channel`: without a payment the terms of payment channels, with one of type refund pays back what is left. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { preparedBody, sendBody } from '../../http/body/send.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { attemptOf } from '../../http/limits/unpaid-limiter.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import type { Refund, RefundOutcome } from '../../payments/channels/refunds/refund-channel.ts'
import { encodeHeader } from '../../values/json.ts'
import type { Counter } from '../call/counter.ts'
import { PATHS } from '../call/paths.ts'
import type { Executors } from '../call/skill-executor.ts'
import { PAID_HEADERS, type SendReply } from './reply.ts'
import type { RouteParts } from './routes.ts'

export interface ChannelDeps {
  readonly refund: Refund
  readonly counter: Counter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

/** The address of refunds, and below it those of calls over channels: one for each check, and one for lists. */
export function addChannelHandlers(
  deps: ChannelDeps & { readonly executors: Executors },
  { handlers, offer, replies }: RouteParts,
): void {
  const { skills, executeList } = deps.executors
  handlers.set(PATHS.channel, channelHandler(deps, replies.single))
  for (const executor of skills) offer(`${PATHS.overChannel}${executor.skill.id}`, executor, 'channel')
  offer(`${PATHS.overChannel}batch`, executeList, 'channel')
}

/** `sendReply` writes every outcome but a refund. */
function channelHandler(deps: ChannelDeps, sendReply: SendReply): Handler {
  const { refund, counter, sendProblem } = deps
  const refuseMethod = methodNotAllowed(sendProblem, ['GET'])

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const payment = readPaymentHeader(req)
    const over = counter.admit(res, attemptOf(payment))
    if (over !== undefined) return sendReply(res, over)
    // An empty text is a malformed payment.
    const outcome = await refund(payment.kind === 'repeated' ? { kind: 'text', text: '' } : payment)
    if (outcome.kind === 'refunded') sendRefund(res, outcome)
    else sendReply(res, counter.settle(outcome, { res, payment }))
  }

  return function channel(req, res) {
    setAccessLogFields(res, { route: PATHS.channel, surface: 'rest' })
    if (req.method !== 'GET') return refuseMethod(req, res)
    answer(req, res).catch(errorHandler(deps.log, res, () => sendProblem(res, 'internal_error')))
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
