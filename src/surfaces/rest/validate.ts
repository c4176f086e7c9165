/** `POST /api/validate/{type}`, and the paths for lists. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, itemDetailOn } from '../../errors.ts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { ProblemOptions, SendProblem } from '../../http/body/problem.ts'
import { LIST_BODY_LIMIT } from '../../http/body/read-body.ts'
import { handleError } from '../../http/error-handler.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { type Attempt, attemptOf, type UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import { consequenceOf } from '../../payments/ports/consequences.ts'
import type { Quote, Sale, Sell } from '../../payments/ports/sale.ts'
import type { Order } from '../../payments/terms/orders.ts'
import { priceOf } from '../../payments/terms/quote-for.ts'
import { encodeHeader } from '../../values/json.ts'
import { BODY_LIMIT, emptyBodyFault, readRequest } from './read-request.ts'
import type { Reply } from './reply.ts'

export interface ValidateDeps {
  readonly baseUrl: string
  readonly sell: Sell
  readonly limiter: UnpaidLimiter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

export function validateHandler(deps: ValidateDeps, route: string, order: Order, reply: Reply): Handler {
  const { sell, limiter, sendProblem } = deps
  const { shape, type, surface } = order
  const bodyLimit = shape === 'single' ? BODY_LIMIT : LIST_BODY_LIMIT
  const refuseMethod = methodNotAllowed(sendProblem, ['POST'])
  // A client that sends a bad request may not know the interface.
  const described = { headers: { Link: `<${deps.baseUrl}/openapi.json>; rel="service-desc"` } }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const rawPayment = readPaymentHeader(req)
    const attempt = attemptOf(rawPayment)
    const wait = limiter.blocked(req, attempt)
    if (wait !== undefined) {
      return reply(res, { kind: 'declined', code: 'too_many_requests', retryAfterSeconds: wait })
    }

    const refuse = (code: ErrorCode, index?: number) => {
      limiter.hit(req, attempt)
      const members = index === undefined ? {} : { members: { detail: itemDetailOn(code, 'rest'), index } }
      sendProblem(res, code, { ...described, ...members })
    }
    const reading = await readRequest(req, bodyLimit, order.read)
    if (reading.kind === 'aborted') return
    if (reading.kind === 'bad') {
      if (reading.code !== 'unsupported_media_type' || rawPayment.kind !== 'none')
        return refuse(reading.code, reading.index)
      limiter.hit(req)
      return sendProblem(res, reading.code, termsBeside(await order.quote(1)))
    }
    if (reading.kind === 'probe') {
      if (rawPayment.kind !== 'none') return refuse(emptyBodyFault(req))
      limiter.hit(req)
      return reply(res, unpaid('payment_required', await order.quote(1)))
    }
    const { items } = reading
    const client = limiter.clientOf(req)
    // From here on the work continues if the client disconnects: the buyer may have been charged.
    const sale =
      rawPayment.kind === 'repeated'
        ? unpaid('payment_malformed', await order.quote(items.length))
        : await sell({ kind: 'value', shape, type, items, surface, client }, rawPayment)
    count(req, sale, attempt)
    reply(res, sale, rawPayment.kind === 'text' && rawPayment.version1)
  }

  function count(req: IncomingMessage, sale: Sale, attempt: Attempt): void {
    if (sale.kind !== 'sold') {
      if (consequenceOf(sale.code).counted) limiter.hit(req, attempt)
    } else if (!sale.replayed) limiter.takeBack(req)
  }

  return function validate(req, res) {
    setAccessLogFields(res, { route, surface, type })
    if (req.method !== 'POST') return refuseMethod(req, res)
    answer(req, res).catch((error: unknown) => handleError(deps, error, res))
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

const unpaid = (code: 'payment_required' | 'payment_malformed', quote: Quote): Sale => ({
  kind: 'unpaid',
  code,
  quote,
})
