/** `POST /api/validate/{type}`, and the paths for lists. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { detailOn, type ErrorCode, itemDetailOn } from '../../errors.ts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { ProblemOptions, SendProblem } from '../../http/body/problem.ts'
import { LIST_BODY_LIMIT } from '../../http/body/read-body.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { attemptOf } from '../../http/limits/unpaid-limiter.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import type { Quote } from '../../payments/ports/sale.ts'
import type { Order } from '../../payments/terms/orders.ts'
import { priceOf } from '../../payments/terms/quote-for.ts'
import { encodeHeader } from '../../values/json.ts'
import { readAsks } from '../call/asks.ts'
import type { Counter } from '../call/counter.ts'
import { PATHS } from '../call/paths.ts'
import { BODY_LIMIT, readRequest } from './read-request.ts'
import type { SendReply } from './reply.ts'
import { unknownMember } from './unknown-member.ts'

export interface ValidateDeps {
  readonly baseUrl: string
  readonly counter: Counter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

/** What was read, and the first item of its list with a fault. */
interface Faulty {
  readonly input?: unknown
  readonly index?: number | undefined
}

export function validateHandler(
  deps: ValidateDeps,
  route: string,
  order: Order,
  sendReply: SendReply,
): Handler {
  const { counter, sendProblem } = deps
  const bodyLimit = order.shape === 'single' ? BODY_LIMIT : LIST_BODY_LIMIT
  const refuseMethod = methodNotAllowed(sendProblem, ['POST'])
  // A client that sends a bad request may not know the interface.
  const described = { headers: { Link: `<${deps.baseUrl}${PATHS.openapi}>; rel="service-desc"` } }

  const refuse = (res: ServerResponse, code: ErrorCode, { input, index }: Faulty = {}) => {
    const name = code === 'unknown_field' ? unknownMember(input, index) : undefined
    const text = index === undefined ? detailOn(code, 'rest') : itemDetailOn(code, 'rest')
    const detail = name === undefined ? text : `${text} Unknown here: "${name}".`
    sendProblem(res, code, { ...described, members: { detail, ...(index !== undefined && { index }) } })
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const client = { res, payment: readPaymentHeader(req), asks: readAsks(req) }
    const { payment } = client
    const attempt = attemptOf(payment)
    const over = counter.admit(res, attempt)
    if (over !== undefined) return sendReply(res, over)
    const isPaid = payment.kind !== 'none'
    const reading = await readRequest(res, bodyLimit, isPaid)
    if (reading.kind === 'aborted') return
    if (reading.kind === 'input') {
      const reply = await counter.sell({ ...client, order, input: reading.input })
      return reply.kind === 'refused'
        ? refuse(res, reply.code, { input: reading.input, index: reply.index })
        : sendReply(res, reply, payment.kind === 'text' && payment.version1)
    }
    if (reading.kind === 'bad' && (isPaid || reading.code !== 'unsupported_media_type')) {
      counter.count(res, attempt, reading.code)
      return refuse(res, reading.code)
    }
    const terms = await counter.quote(order, client)
    if (reading.kind === 'probe') sendReply(res, terms)
    else sendProblem(res, reading.code, termsBeside(terms.quote))
  }

  return function validate(req, res) {
    setAccessLogFields(res, { route, surface: 'rest', type: order.type })
    if (req.method !== 'POST') return refuseMethod(req, res)
    answer(req, res).catch(errorHandler(deps.log, res, () => sendProblem(res, 'internal_error')))
  }
}

/**
 * The terms of one value, for the answer to another content type: many clients make their first call with one.
 *
 * The x402 extensions are left out. They are for catalogues, which read a 402 alone, and would make the header too long.
 */
function termsBeside(quote: Quote): ProblemOptions {
  const { extensions: _, ...terms } = quote.required('payment_required')
  return {
    headers: { 'PAYMENT-REQUIRED': encodeHeader(terms) },
    members: { price: `$${priceOf(terms)}`, network: terms.accepts[0]?.network },
  }
}
