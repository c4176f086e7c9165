/** `POST /api/validate/{type}`: one check for one payment. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { handleError } from '../../http/error-handler.ts'
import { type PaymentHeader, readPaymentHeader } from '../../http/headers/payment-header.ts'
import type { Attempt, UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import {
  consequenceOf,
  type Quote,
  type Sale,
  type Sell,
  type SurfaceName,
  singleCall,
} from '../../payments/sale.ts'
import type { Skill } from '../../skills/skill.ts'
import { emptyBodyFault, readRequest } from './read-request.ts'
import type { Reply } from './reply.ts'

export interface ValidateDeps {
  readonly baseUrl: string
  readonly sell: Sell
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly limiter: UnpaidLimiter
  readonly sendProblem: SendProblem
  readonly reply: Reply
  readonly log: UnexpectedErrorLog
}

/** Builds the handler of one check type. */
export function validateHandler(deps: ValidateDeps, skill: Skill, route: string): Handler {
  const { sell, limiter, sendProblem, reply } = deps
  // Looked up for each request, since quotes are renewed before their signed offers end.
  const quote = () => deps.quote(skill, 'rest')
  const refuseMethod = methodNotAllowed(sendProblem, ['POST'])
  // A client that sends a bad request is likely to need the description.
  const described = { headers: { Link: `<${deps.baseUrl}/openapi.json>; rel="service-desc"` } }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const proof = readPaymentHeader(req)
    const attempt: Attempt = proof.kind === 'none' ? 'unpaid' : 'payment'
    const wait = limiter.blocked(req, attempt)
    if (wait !== undefined) {
      return reply(res, { kind: 'declined', code: 'too_many_requests', retryAfterSeconds: wait })
    }

    const refuse = (code: ErrorCode) => {
      limiter.hit(req, attempt)
      sendProblem(res, code, described)
    }
    const reading = await readRequest(req, skill)
    if (reading.kind === 'aborted') return
    if (reading.kind === 'bad') return refuse(reading.code)
    if (reading.kind === 'probe') {
      if (proof.kind !== 'none') return refuse(emptyBodyFault(req))
      limiter.hit(req)
      return reply(res, { kind: 'unpaid', code: 'payment_required', quote: quote() })
    }
    // From here on the work continues if the client disconnects: the buyer may have been charged.
    const sale = await settle(reading.value, proof, limiter.clientOf(req))
    count(req, sale, attempt)
    reply(res, sale, proof.kind === 'text' && proof.version1)
  }

  function settle(value: string, proof: PaymentHeader, client: string): Promise<Sale> {
    if (proof.kind === 'repeated') {
      return Promise.resolve({ kind: 'unpaid', code: 'payment_malformed', quote: quote() })
    }
    return sell(singleCall({ skill, surface: 'rest', value, client }), proof)
  }

  function count(req: IncomingMessage, sale: Sale, attempt: Attempt): void {
    if (sale.kind !== 'sold') {
      if (consequenceOf(sale.code).counted) limiter.hit(req, attempt)
    } else if (!sale.replayed) limiter.paid(req)
  }

  return function validate(req, res) {
    setAccessLogFields(res, { route, surface: 'rest', type: skill.id })
    if (req.method !== 'POST') return refuseMethod(req, res)
    answer(req, res).catch((error: unknown) => handleError(deps, error, res))
  }
}
