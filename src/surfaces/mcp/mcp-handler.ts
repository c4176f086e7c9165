/**
 * `/mcp`: the Model Context Protocol over Streamable HTTP, without sessions.
 *
 * Every answer is JSON, and repeats nothing of its request but the JSON-RPC id.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { discardBody, LIST_BODY_LIMIT, readBody } from '../../http/body/read-body.ts'
import { addHeaders, whenDelivered } from '../../http/body/send.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { type PaymentHeader, readPaymentHeader } from '../../http/headers/payment-header.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import { attemptOf } from '../../http/limits/unpaid-limiter.ts'
import type { Handler } from '../../http/middleware.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import type { RawPayment } from '../../payments/ports/sale.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import type { Counter } from '../call/counter.ts'
import { PATHS } from '../call/paths.ts'
import { asksForAllSchemes } from '../call/request-options.ts'
import type { Executor, Executors } from '../call/skill-executor.ts'
import { bothEras } from './eras.ts'
import { INTERNAL_ERROR } from './protocol-error.ts'
import { knownMembers } from './read-arguments.ts'
import { readMessage, type ToolCall } from './read-message.ts'
import { type Refusal, refusal, tooMany } from './refusal.ts'
import { refuse, send } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import { freeResources, type ResourceTexts } from './resources.ts'
import { serverFactory } from './server.ts'
import { toolResult } from './tool-result.ts'
import { LIST_TOOL, toolsOf } from './tools.ts'
import { type RequestRules, requestValidator } from './validate-request.ts'

export interface McpDeps extends RequestRules {
  readonly quote: QuoteBook
  readonly registry: SkillRegistry
  readonly executors: Executors
  readonly counter: Counter
  readonly baseUrl: string
  readonly version: string
  readonly texts: ResourceTexts
  readonly log: UnexpectedErrorLog
}

export interface McpEndpoint {
  readonly handle: Handler
  /** Closes what the SDK keeps open; must be called after the last answer. */
  close(): Promise<void>
}

/** Bytes. */
const BODY_LIMIT = 64 * 1024

const TOO_LARGE = refusal('body_too_large')

const limitOf = (call: ToolCall | undefined) => (call?.tool === LIST_TOOL ? LIST_BODY_LIMIT : BODY_LIMIT)

export function mcpHandler(deps: McpDeps): McpEndpoint {
  const { registry, executors, quote, baseUrl, version, counter, log } = deps
  const validate = requestValidator(deps)
  const serverFor = serverFactory({
    executors: new Map<string, Executor>([
      ...executors.skills.map((executor) => [executor.skill.operationId, executor] as const),
      [LIST_TOOL, executors.executeList],
    ]),
    tools: toolsOf(registry, quote.single),
    async callTool(executor, requestContext) {
      const { shape } = executor
      const json = knownMembers(shape, requestContext.input)
      const reply = await executor.execute({ json }, requestContext)
      requestContext.reply = reply
      return toolResult(reply, shape)
    },
    resources: freeResources(baseUrl, deps.texts),
    baseUrl,
    version,
  })
  const eras = bothEras(`${baseUrl}${PATHS.mcp}`, serverFor)

  const refuseUnread = (res: ServerResponse, refused: Refusal): void => {
    const over = counter.admit(res, 'unpaid')
    if (over === undefined) counter.count(res, 'unpaid', refused.code)
    refuse(res, over === undefined ? refused : tooMany(null, over))
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const refused = validate(req)
    if (refused !== null) {
      discardBody(res)
      // Clients ask for a stream by GET.
      return req.method === 'POST' ? refuseUnread(res, refused) : refuse(res, refused)
    }
    // Only the body says whether it calls the tool for lists. A client over its limit may not send one.
    const early = counter.admit(res, attemptOf(paymentOf(req, undefined)))
    const body = await readBody(res, early === undefined ? LIST_BODY_LIMIT : BODY_LIMIT)
    if (body.kind === 'aborted') return
    if (body.kind === 'too_large')
      return early === undefined ? refuseUnread(res, TOO_LARGE) : refuse(res, tooMany(null, early))
    const envelope = readMessage(body.bytes)
    if (envelope.kind === 'refused') return refuseUnread(res, envelope.refusal)
    const { message, id, call } = envelope
    if (body.bytes.length > limitOf(call)) return refuseUnread(res, TOO_LARGE)
    const payment = paymentOf(req, call?.payment)
    const attempt = call === undefined ? 'unpaid' : attemptOf(payment)
    const over = counter.admit(res, attempt)
    if (over !== undefined) return refuse(res, tooMany(id, over))
    const client = { res, payment, asksForAllSchemes: asksForAllSchemes(call?.meta) }
    const requestContext: RequestContext = { ...client, surface: 'mcp', input: call?.input }
    const answer = await eras.answer(message, requestContext)
    const { reply } = requestContext
    // Other requests are free but cost work; a client makes some on each connection before it buys.
    if (reply === undefined)
      counter.count(res, attempt, undefined, call === undefined ? { kind: 'free' } : {})
    if (answer.failed) log.error({ requestId: requestIdOf(res), name: 'McpError', at: [] }, 'defect')
    if (reply?.kind === 'sold') whenDelivered(res, reply.delivered)
    if (reply?.kind === 'declined' && reply.retryAfterSeconds !== undefined) {
      if (reply.code === 'too_many_requests') return refuse(res, tooMany(id, reply))
      addHeaders(res, ['Retry-After', String(reply.retryAfterSeconds)])
    }
    send(res, answer)
  }

  return {
    handle(req, res) {
      setAccessLogFields(res, { route: PATHS.mcp, surface: 'mcp' })
      const answerDefect = () => refuse(res, refusal('internal_error', { rpcCode: INTERNAL_ERROR }))
      serve(req, res).catch(errorHandler(log, res, answerDefect))
    },
    close: () => eras.close(),
  }
}

/**
 * `_meta["x402/payment"]`, an object by the specification and base64 text from some clients; else the HTTP headers of a
 * paying fetch.
 */
function paymentOf(req: IncomingMessage, inMeta: unknown): PaymentHeader | RawPayment {
  if (inMeta === undefined) return readPaymentHeader(req)
  return typeof inMeta === 'string' ? { kind: 'text', text: inMeta } : { kind: 'object', payload: inMeta }
}
