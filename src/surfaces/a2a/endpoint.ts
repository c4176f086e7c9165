/** `POST /a2a`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AgentCard } from '@a2a-js/sdk'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { hasContentEncoding } from '../../http/body/has-content-encoding.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { discardBody, LIST_BODY_LIMIT, readBody } from '../../http/body/read-body.ts'
import { asksForChannels } from '../../http/headers/channels-header.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import { attemptOf, type UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { hasQuery, pathOf } from '../../http/request-target.ts'
import { ENCODING, MEDIA_TYPE, METHOD, probeFault, TOO_LARGE, tooMany } from './reply/http-errors.ts'
import { type ReplyDeps, replier } from './reply/reply.ts'
import type { RpcError } from './reply/rpc-error.ts'
import { BODY_LIMIT, isListRequest, mayBeList } from './request/body-limit.ts'
import type { RpcId } from './request/request-context.ts'
import { readRequest, validateRequest } from './request/validate-request.ts'
import type { HandlerDeps } from './request-handler.ts'
import { sdkTransport } from './sdk-transport.ts'

const A2A_PATH = '/a2a'

export interface EndpointDeps extends HandlerDeps, ReplyDeps {
  readonly limiter: UnpaidLimiter
  readonly card: AgentCard
}

function a2aEndpoint(deps: EndpointDeps): Handler {
  const { limiter, registry } = deps
  const reply = replier(deps)
  const transport = sdkTransport(deps)

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const byHeader = attemptOf(readPaymentHeader(req))
    const refuse = (error: RpcError, id: RpcId = null, attempt = byHeader) => {
      const wait = limiter.blocked(req, attempt)
      reply.fault(req, res, wait === undefined ? error : tooMany(wait), id, attempt)
    }
    // Limits come before any work on a body. An address that is only over the limit of unpaid requests may still pay in its
    // message, so a short body is read.
    const isLong = mayBeList(req)
    const blocked = limiter.blocked(req, isLong ? byHeader : 'payment')
    if (blocked !== undefined) {
      discardBody(req)
      return reply.fault(req, res, tooMany(blocked), null, byHeader)
    }
    const body = await readBody(req, isLong ? LIST_BODY_LIMIT : BODY_LIMIT)
    if (body.kind === 'aborted') return
    if (body.kind === 'read' && body.bytes.length === 0 && byHeader === 'unpaid' && !hasQuery(req)) {
      // Looked up for each probe, because quotes are renewed.
      return refuse(probeFault(deps.quote.single(registry.all[0], 'a2a'), asksForChannels(req)))
    }
    if (hasContentEncoding(req)) return refuse(ENCODING)
    if (body.kind === 'too_large') return refuse(TOO_LARGE)
    const read = readRequest(req, body.bytes)
    // A JSON object is taken under any media type: many programs send none, or that of a form.
    if (!read.ok && !isJsonMediaType(req.headers['content-type'])) return refuse(MEDIA_TYPE)
    if (body.bytes.length > BODY_LIMIT && !(read.ok && isListRequest(read.value.request)))
      return refuse(TOO_LARGE)
    if (!read.ok) return refuse(read.fault)
    const { id, attempt } = read.value
    const wait = limiter.blocked(req, attempt)
    if (wait !== undefined) return reply.fault(req, res, tooMany(wait), null, attempt)
    const validated = validateRequest(req, read.value, limiter.clientOf(req))
    if (!validated.ok) return refuse(validated.fault, id, attempt)
    reply.take(req, res, validated.value.requestContext)
    transport(req, res, validated.value, (error) => reply.defect(res, error))
  }

  return function a2a(req, res) {
    setAccessLogFields(res, { route: A2A_PATH, surface: 'a2a' })
    if (req.method !== 'POST') return reply.fault(req, res, METHOD, null, 'unpaid')
    answer(req, res).catch((error: unknown) => reply.defect(res, error))
  }
}

export function a2aRoutes(deps: EndpointDeps): Middleware {
  const endpoint = a2aEndpoint(deps)
  return function a2aRoutes(req, res, next) {
    if (pathOf(req) === A2A_PATH) endpoint(req, res)
    else next()
  }
}
