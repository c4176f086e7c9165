/** `POST /a2a`: limits and guard, then the SDK's JSON-RPC transport, then an answer in our own words. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { A2A_VERSION_HEADER, type AgentCard, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import { jsonRpcHandler } from '@a2a-js/sdk/server/express'
import express from 'express'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { noteFacts } from '../../http/facts.ts'
import { isJsonMediaType } from '../../http/json-media-type.ts'
import type { Handler } from '../../http/middleware.ts'
import { readBody } from '../../http/read-body.ts'
import { hasQuery } from '../../http/request-target.ts'
import type { UnpaidLimiter } from '../../http/unpaid-limiter.ts'
import type { Quote } from '../../payments/sale.ts'
import { answerOverHttp } from './answer-sale.ts'
import { type GuardedRequest, guardRequest } from './edge-guard.ts'
import { Caller, type Exchange, type RpcId } from './exchange.ts'
import { readHeaderProof } from './payment-headers.ts'
import { type ReplyDeps, replier } from './reply.ts'
import { type HandlerDeps, requestHandler } from './request-handler.ts'
import { catalogued, cataloguedInfo, invalidRequest, protocolFault, type WireFault } from './wire-fault.ts'

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
    const paysByHeader = readHeaderProof(req).kind !== 'none'
    const refuse = async (wire: WireFault, id: RpcId = null, pays = paysByHeader) => {
      const wait = await limiter.blocked(req, pays ? 'payment' : 'unpaid')
      reply.fault(req, res, wait === undefined ? wire : tooMany(wait), id, pays)
    }
    if (body.kind === 'read' && body.bytes.length === 0 && !paysByHeader && !hasQuery(req)) {
      return refuse(probeFault(probeQuote))
    }
    if (isEncoded(req)) return refuse(ENCODING)
    if (!isJsonMediaType(req.headers['content-type'])) return refuse(MEDIA_TYPE)
    if (body.kind === 'too_large') return refuse(TOO_LARGE)
    const guarded = guardRequest(req, body.bytes)
    if (!guarded.ok) return refuse(guarded.fault, guarded.id)
    const wait = await limiter.blocked(req, guarded.pays ? 'payment' : 'unpaid')
    if (wait !== undefined) return reply.fault(req, res, tooMany(wait), guarded.exchange.id, guarded.pays)
    reply.take(req, res, guarded)
    transport(req, res, guarded)
  }

  return function a2a(req, res) {
    noteFacts(res, { route: A2A_PATH, surface: 'a2a' })
    if (req.method !== 'POST') return reply.fault(req, res, METHOD, null, false)
    answer(req, res).catch((error: unknown) => reply.defect(res, error))
  }
}

type Transport = (req: IncomingMessage, res: ServerResponse, guarded: GuardedRequest) => void

/** The SDK's handler in an application of its own, so that it works under any server and router. */
function sdkTransport(deps: EndpointDeps): Transport {
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const app = express()
  app.disable('x-powered-by')
  app.use(
    jsonRpcHandler({
      requestHandler: requestHandler(deps),
      legacyCompat: { enabled: true },
      userBuilder: async (req) => {
        const exchange = req instanceof Object ? exchanges.get(req as unknown as IncomingMessage) : undefined
        if (exchange === undefined) throw new Error('a request came in past the guard')
        return new Caller(exchange)
      },
    }),
  )
  return (req, res, { exchange, body }) => {
    exchanges.set(req, exchange)
    req.url = '/'
    req.headers[A2A_VERSION_HEADER.toLowerCase()] = exchange.version
    for (const name of [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER])
      delete req.headers[name.toLowerCase()]
    Object.assign(req, { body })
    app(req, res)
  }
}

const METHOD = underStatus('method_not_allowed', invalidRequest(''), { Allow: 'POST, OPTIONS' })
const TOO_LARGE = underStatus('body_too_large', invalidRequest(''))
const ENCODING = underStatus('unsupported_content_encoding', protocolFault('CONTENT_TYPE_NOT_SUPPORTED'))
const MEDIA_TYPE = underStatus('unsupported_media_type', protocolFault('CONTENT_TYPE_NOT_SUPPORTED'))

/** A refusal of HTTP's own, told in the words of the catalogue under the protocol's nearest code. */
function underStatus(code: ErrorCode, { error }: WireFault, headers: OutgoingHttpHeaders = {}): WireFault {
  const { status, detail } = ERRORS[code]
  const data = [...(error.data ?? []), cataloguedInfo(code)]
  return {
    status,
    headers,
    error: { code: error.code, message: detail, data },
    idless: true,
    catalogued: code,
  }
}

function tooMany(seconds: number): WireFault {
  return catalogued('too_many_requests', { headers: { 'Retry-After': seconds } })
}

/** What a body of length 0 gets: registries send one to see whether an address asks for payment. */
function probeFault(quote: Quote): WireFault {
  const probe = answerOverHttp({ kind: 'unpaid', code: 'payment_required', quote }, { headers: {} })
  if (probe.kind !== 'fault') throw new Error('an unpaid sale is no fault')
  return probe.fault
}

function isEncoded(req: IncomingMessage): boolean {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}
