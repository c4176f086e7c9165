/** `POST /a2a`: limits and guard, then the SDK's JSON-RPC transport, then an answer in our own words. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AgentCard } from '@a2a-js/sdk'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { readBody } from '../../http/body/read-body.ts'
import { readPaymentHeader } from '../../http/headers/payment-header.ts'
import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { Handler } from '../../http/middleware.ts'
import { hasQuery } from '../../http/request-target.ts'
import { ENCODING, MEDIA_TYPE, METHOD, probeFault, TOO_LARGE, tooMany } from './reply/http-errors.ts'
import { type ReplyDeps, replier } from './reply/reply.ts'
import type { RpcError } from './reply/rpc-error.ts'
import type { RpcId } from './request/request-context.ts'
import { validateRequest } from './request/validate-request.ts'
import type { HandlerDeps } from './request-handler.ts'
import { sdkTransport } from './sdk-transport.ts'

export const A2A_PATH = '/a2a'

/** Bytes of a request body. */
export const BODY_LIMIT = 16_384

export interface EndpointDeps extends HandlerDeps, ReplyDeps {
  readonly limiter: UnpaidLimiter
  readonly card: AgentCard
}

/** Builds the handler of the one address at which the agent is spoken to. */
export function a2aEndpoint(deps: EndpointDeps): Handler {
  const { limiter, registry } = deps
  const reply = replier(deps)
  const transport = sdkTransport(deps)
  const [firstSkill] = registry.all
  if (firstSkill === undefined) throw new Error('no skills')
  const probeQuote = deps.quote(firstSkill, 'a2a')

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readBody(req, BODY_LIMIT)
    if (body.kind === 'aborted') return
    const paysByHeader = readPaymentHeader(req).kind !== 'none'
    const refuse = async (wire: RpcError, id: RpcId = null, pays = paysByHeader) => {
      const wait = limiter.blocked(req, pays ? 'payment' : 'unpaid')
      reply.fault(req, res, wait === undefined ? wire : tooMany(wait), id, pays)
    }
    if (body.kind === 'read' && body.bytes.length === 0 && !paysByHeader && !hasQuery(req)) {
      return refuse(probeFault(probeQuote))
    }
    if (isEncoded(req)) return refuse(ENCODING)
    if (!isJsonMediaType(req.headers['content-type'])) return refuse(MEDIA_TYPE)
    if (body.kind === 'too_large') return refuse(TOO_LARGE)
    const guarded = validateRequest(req, body.bytes)
    if (!guarded.ok) return refuse(guarded.fault, guarded.id)
    const wait = limiter.blocked(req, guarded.pays ? 'payment' : 'unpaid')
    if (wait !== undefined) return reply.fault(req, res, tooMany(wait), guarded.exchange.id, guarded.pays)
    reply.take(req, res, guarded)
    transport(req, res, guarded, (error) => reply.defect(res, error))
  }

  return function a2a(req, res) {
    setAccessLogFields(res, { route: A2A_PATH, surface: 'a2a' })
    if (req.method !== 'POST') return reply.fault(req, res, METHOD, null, false)
    answer(req, res).catch((error: unknown) => reply.defect(res, error))
  }
}

function isEncoded(req: IncomingMessage): boolean {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}
