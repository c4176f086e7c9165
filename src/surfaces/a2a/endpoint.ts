/** `POST /a2a`. */
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
import { singleOrder } from '../../payments/terms/orders.ts'
import { readAsks } from '../call/asks.ts'
import { PATHS } from '../call/paths.ts'
import { refusalFault, termsFault } from './reply/answer-sale.ts'
import { ENCODING, MEDIA_TYPE, METHOD, TOO_LARGE } from './reply/http-errors.ts'
import { echoExtensions, sendFault, sendResult } from './reply/reply.ts'
import { INTERNAL_ERROR, type RpcError } from './reply/rpc-error.ts'
import { BODY_LIMIT, isListRequest, mayBeList } from './request/body-limit.ts'
import type { RpcId } from './request/request-context.ts'
import { readRequest, validateRequest } from './request/validate-request.ts'
import { sdkTransport, type TransportDeps } from './sdk-transport.ts'

function a2aEndpoint(deps: TransportDeps): Handler {
  const { counter, registry, log } = deps
  const transport = sdkTransport(deps)
  const probed = singleOrder(registry.all[0], 'a2a', deps.quote)

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
    if (over !== undefined) return sendFault(res, refusalFault(over), null)
    if (body.kind === 'read' && body.bytes.length === 0 && byHeader === 'unpaid' && !hasQuery(req)) {
      // Registries send an empty body to see whether an address asks for payment.
      return sendFault(
        res,
        termsFault(await counter.quote(probed, { res, asks: readAsks(req) }), false),
        null,
      )
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
