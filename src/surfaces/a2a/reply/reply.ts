/**
 * Puts an answer on the wire.
 *
 * The SDK answers with HTTP 200 and its own error texts, some of which quote the client. Status, headers and errors
 * are set here instead.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import { sendJson, whenDelivered } from '../../../http/body/send.ts'
import { requestIdOf } from '../../../http/headers/request-id.ts'
import type { Attempt, UnpaidLimiter } from '../../../http/limits/unpaid-limiter.ts'
import { type UnexpectedErrorLog, unexpectedError } from '../../../http/unexpected-error.ts'
import { consequenceOf } from '../../../payments/ports/consequences.ts'
import { isObject } from '../../../values/json.ts'
import type { RequestContext, RpcId } from '../request/request-context.ts'
import { INTERNAL_ERROR, type RpcError } from './rpc-error.ts'

export interface ReplyDeps {
  readonly limiter: UnpaidLimiter
  readonly log: UnexpectedErrorLog
}

export interface Replier {
  fault(req: IncomingMessage, res: ServerResponse, fault: RpcError, id: RpcId, attempt: Attempt): void
  /** Replaces `res.json`, by which the SDK sends its answer. */
  take(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): void
  defect(res: ServerResponse, error: unknown): void
}

export function replier({ limiter, log }: ReplyDeps): Replier {
  function fault(
    req: IncomingMessage,
    res: ServerResponse,
    error: RpcError,
    id: RpcId,
    attempt: Attempt,
  ): void {
    if (error.catalogued !== undefined) setAccessLogFields(res, { code: error.catalogued })
    if (error.catalogued === undefined || consequenceOf(error.catalogued).counted) limiter.hit(req, attempt)
    writeFault(res, error, id)
  }

  function take(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): void {
    Object.assign(res, {
      json(body: unknown) {
        finish(req, res, requestContext, body)
        return res
      },
    })
  }

  function finish(
    req: IncomingMessage,
    res: ServerResponse,
    requestContext: RequestContext,
    body: unknown,
  ): void {
    const { answer, id, attempt } = requestContext
    if (answer.type !== undefined) setAccessLogFields(res, { type: answer.type })
    if (answer.defect !== undefined) logDefect(res, answer.defect)
    for (const name of echoNames(requestContext)) res.setHeader(name, requestContext.extensions.join(', '))
    const failure = answer.fault ?? sdkFailure(res, body)
    if (failure !== undefined) {
      fault(req, res, failure, id, attempt)
      return
    }
    if (answer.outcome !== undefined && answer.outcome !== 'free')
      setAccessLogFields(res, { code: answer.outcome })
    count(req, requestContext)
    if (answer.delivered !== undefined) whenDelivered(res, answer.delivered)
    sendJson(res, body, { headers: answer.headers })
  }

  function count(req: IncomingMessage, { answer, attempt }: RequestContext): void {
    const { outcome, weight = 1 } = answer
    switch (outcome) {
      case undefined:
      case 'replayed':
        return
      case 'sold':
        for (let n = 0; n < weight; n++) limiter.takeBack(req)
        return
      default:
        if (outcome !== 'free' && !consequenceOf(outcome).counted) return
        for (let n = 0; n < weight; n++) limiter.hit(req, attempt)
    }
  }

  /** Validation leaves the SDK nothing to refuse. If it does refuse, its text is not sent. */
  function sdkFailure(res: ServerResponse, body: unknown): RpcError | undefined {
    if (isObject(body) && body.error === undefined) return undefined
    const entry = { requestId: requestIdOf(res), name: 'SdkError', at: [] }
    log.error(entry, 'the SDK refused a validated request')
    return INTERNAL_ERROR
  }

  function logDefect(res: ServerResponse, error: unknown): void {
    log.error({ requestId: requestIdOf(res), ...unexpectedError(error) }, 'defect')
  }

  function defect(res: ServerResponse, error: unknown): void {
    logDefect(res, error)
    if (res.headersSent) res.destroy()
    else writeFault(res, INTERNAL_ERROR, null)
  }

  return { fault, take, defect }
}

/** The headers that confirm a client's extensions: those it used itself, else that of its version. */
function echoNames({ extensions, extensionHeaders, version }: RequestContext): readonly string[] {
  if (extensions.length === 0) return []
  if (extensionHeaders.length > 0) return extensionHeaders
  return [version === '0.3' ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER]
}

function writeFault(res: ServerResponse, { status, headers, error, idless }: RpcError, id: RpcId): void {
  sendJson(res, { jsonrpc: '2.0', id: idless ? null : id, error }, { status, headers })
}
