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
import type { Quote, SurfaceName } from '../../payments/ports/sale.ts'
import { priceOf } from '../../payments/terms/quote-for.ts'
import { encodeHeader } from '../../values/json.ts'
import type { Counter } from '../call/counter.ts'
import { PATHS } from '../call/paths.ts'
import type { Executor } from '../call/skill-executor.ts'
import { meantMember } from './meant-member.ts'
import { BODY_LIMIT, readRequest } from './read-request.ts'
import type { SendReply } from './reply.ts'

export interface ValidateDeps {
  readonly baseUrl: string
  readonly surface: Exclude<SurfaceName, 'a2a' | 'mcp'>
  readonly counter: Counter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

interface Faulty {
  readonly input?: unknown
  readonly index?: number | undefined
}

export function validateHandler(
  deps: ValidateDeps,
  route: string,
  executor: Executor,
  sendReply: SendReply,
): Handler {
  const { counter, sendProblem, surface } = deps
  const bodyLimit = executor.shape === 'single' ? BODY_LIMIT : LIST_BODY_LIMIT
  const refuseMethod = methodNotAllowed(sendProblem, ['POST'])
  // A client that sends a bad request may not know the interface.
  const described = { headers: { Link: `<${deps.baseUrl}${PATHS.openapi}>; rel="service-desc"` } }

  const refuse = (res: ServerResponse, code: ErrorCode, { input, index }: Faulty = {}) => {
    const meant = code === 'unknown_field' ? meantMember(input, index) : undefined
    const text = index === undefined ? detailOn(code, 'rest') : itemDetailOn(code, 'rest')
    const detail = meant === undefined ? text : `${text} Did you mean "${meant}"?`
    sendProblem(res, code, { ...described, members: { detail, ...(index !== undefined && { index }) } })
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const payment = readPaymentHeader(req)
    const request = { res, surface }
    const attempt = attemptOf(payment)
    const over = counter.admit(res, attempt)
    if (over !== undefined) return sendReply(res, over)
    const isPaid = payment.kind !== 'none'
    const reading = await readRequest(res, bodyLimit, isPaid)
    if (reading.kind === 'aborted') return
    if (reading.kind === 'input') {
      const reply = await executor.execute({ json: reading.input }, { ...request, payment })
      return reply.kind === 'refused'
        ? refuse(res, reply.code, { input: reading.input, index: reply.index })
        : sendReply(res, reply, payment.kind === 'text' && payment.version1)
    }
    if (reading.kind === 'bad' && (isPaid || reading.code !== 'unsupported_media_type')) {
      counter.count(res, attempt, reading.code)
      return refuse(res, reading.code)
    }
    const terms = await executor.quote(request)
    if (reading.kind === 'probe') sendReply(res, terms)
    else sendProblem(res, reading.code, termsBeside(terms.quote))
  }

  return function validate(req, res) {
    setAccessLogFields(res, { route, surface, type: executor.type })
    if (req.method !== 'POST') return refuseMethod(req, res)
    answer(req, res).catch(errorHandler(deps.log, res, () => sendProblem(res, 'internal_error')))
  }
}

/**
 * Many clients make their first call with another content type. The x402 extensions are for catalogues, which read a
 * 402 alone, and would make the header too long.
 */
function termsBeside(quote: Quote): ProblemOptions {
  const { extensions: _, ...terms } = quote.required('payment_required')
  return {
    headers: { 'PAYMENT-REQUIRED': encodeHeader(terms) },
    members: { price: `$${priceOf(terms)}`, network: terms.accepts[0]?.network },
  }
}
