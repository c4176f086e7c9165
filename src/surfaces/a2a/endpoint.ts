/**
 * `POST /a2a`: the A2A agent.
 *
 * In comes a JSON-RPC request of A2A 1.0 or 0.3. `request/` reads it: the limits of a body, the version, the method and the
 * parameters, of which only what the agent knows is copied. The SDK translates between the wire and its own objects
 * (sdk-transport.ts), so one code serves both versions. `protocol/` has the words that all of them share.
 *
 * A message (task/send-message.ts) is about a stored task, or orders checks, or does neither:
 *
 * - It names a task: it pays for it, cancels it or asks for it (task/continue-task.ts).
 * - It orders by a data part, by its JSON as text, by a skill in the metadata, or by the one form of words (request/route-skill.ts,
 *   text/). The executor of the skill sells it (task/execute-order.ts). The client decides how it pays: by header, then
 *   the answer is HTTP 402 or the result; or in the message, then an unpaid order waits as a task with its verdict sealed.
 * - Any other text gets free help (reply/render-help.ts). No heuristic is between a message and a charge.
 *
 * Out goes a task, a message or a JSON-RPC error (reply/), in which no part of the value is. Money is not decided here: the
 * executors and the counter in surfaces/call/ do the same for every surface.
 *
 * Read task/send-message.ts first, then task/execute-order.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { hasContentEncoding } from '../../http/body/has-content-encoding.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { discardBody, LIST_BODY_LIMIT, readBody } from '../../http/body/read-body.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { attemptOf } from '../../http/limits/unpaid-limiter.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { hasQuery, pathOf } from '../../http/request-target.ts'
import { PATHS } from '../call/paths.ts'
import { ENCODING, MEDIA_TYPE, METHOD, TOO_LARGE } from './http-errors.ts'
import type { RpcId } from './protocol/request-context.ts'
import { INTERNAL_ERROR, type RpcError } from './protocol/rpc-error.ts'
import { refusalFault, termsFault } from './reply/answer-sale.ts'
import { BODY_LIMIT, isListRequest, mayBeList } from './request/body-limit.ts'
import { harmlessId, readRequest, validateRequest } from './request/validate-request.ts'
import { sdkTransport, type TransportDeps } from './sdk-transport.ts'
import { echoExtensions, sendFault, sendResult } from './send-reply.ts'

function a2aEndpoint(deps: TransportDeps): Handler {
  const { counter, executors, log } = deps
  const transport = sdkTransport(deps)
  const [probed] = executors.skills

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const byHeader = attemptOf(readPaymentHeader(req))
    const refuse = (error: RpcError, id: RpcId = null, attempt = byHeader) => {
      counter.count(res, attempt, error.catalogued)
      sendFault(res, error, id)
    }
    // Limits come before any work on a body. An address that is only over the limit of unpaid requests may still pay in its
    // message, so a short body is read.
    const isLong = mayBeList(req)
    const blocked = counter.admit(res, isLong ? byHeader : 'payment')
    if (blocked !== undefined) {
      discardBody(res)
      return sendFault(res, refusalFault(blocked), null)
    }
    const body = await readBody(res, isLong ? LIST_BODY_LIMIT : BODY_LIMIT)
    if (body.kind === 'aborted') return
    const read = body.kind === 'read' ? readRequest(req, body.bytes) : undefined
    const { id, attempt } = read?.kind === 'read' ? read.value : { id: null, attempt: byHeader }
    const over = counter.admit(res, attempt)
    if (over !== undefined) {
      const named = read?.kind === 'read' ? harmlessId(read.value) : null
      return sendFault(res, refusalFault(over), named)
    }
    if (body.kind === 'read' && body.bytes.length === 0 && byHeader === 'unpaid' && !hasQuery(req)) {
      // Registries send an empty body to see whether an address asks for payment.
      return sendFault(res, termsFault(await probed.quote({ res, surface: 'a2a' }), false), null)
    }
    if (hasContentEncoding(req)) return refuse(ENCODING)
    if (body.kind === 'too_large' || read === undefined) return refuse(TOO_LARGE)
    // A JSON object is taken under any media type: many programs send none, or that of a form.
    if (read.kind === 'fault' && !isJsonMediaType(req.headers['content-type'])) return refuse(MEDIA_TYPE)
    if (body.bytes.length > BODY_LIMIT && !(read.kind === 'read' && isListRequest(read.value.request)))
      return refuse(TOO_LARGE)
    if (read.kind === 'fault') return refuse(read)
    const validated = validateRequest(res, read.value)
    if (validated.kind === 'fault') return refuse(validated, id, attempt)
    const outcome = await transport(validated.value)
    echoExtensions(validated.value.requestContext)
    if (outcome.kind === 'result') sendResult(res, outcome)
    else refuse(outcome, id, attempt)
  }

  return function a2a(req, res) {
    setAccessLogFields(res, { route: PATHS.a2a, surface: 'a2a' })
    if (req.method !== 'POST') {
      counter.count(res, 'unpaid', METHOD.catalogued)
      return sendFault(res, METHOD, null)
    }
    answer(req, res).catch(errorHandler(log, res, () => sendFault(res, INTERNAL_ERROR, null)))
  }
}

export function a2aRoutes(deps: TransportDeps): Middleware {
  const endpoint = a2aEndpoint(deps)
  return function a2aRoutes(req, res, next) {
    if (pathOf(req) === PATHS.a2a) endpoint(req, res)
    else next()
  }
}
