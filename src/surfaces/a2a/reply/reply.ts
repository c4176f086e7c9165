/**
 * Puts an answer on the wire.
 *
 * The SDK knows one HTTP status and its own error texts; here the answer gets the status, headers and error
 * that the request asks for. No error text of the SDK's ever leaves: some of them quote the caller.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import type { ErrorCode } from '../../../errors.ts'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import { sendJson, whenDelivered } from '../../../http/body/send.ts'
import { requestIdOf } from '../../../http/headers/request-id.ts'
import type { Attempt, UnpaidLimiter } from '../../../http/limits/unpaid-limiter.ts'
import { type UnexpectedErrorLog, unexpectedError } from '../../../http/unexpected-error.ts'
import { isObject } from '../../../json.ts'
import { consequenceOf } from '../../../payments/ports/consequences.ts'
import type { RequestContext, RpcId } from '../request/request-context.ts'
import type { ValidatedRequest } from '../request/validate-request.ts'
import { catalogued, type RpcError } from './rpc-error.ts'

export interface ReplyDeps {
  readonly limiter: UnpaidLimiter
  readonly log: UnexpectedErrorLog
}

export interface Replier {
  fault(req: IncomingMessage, res: ServerResponse, fault: RpcError, id: RpcId, pays: boolean): void
  /** Takes over what the SDK is going to write to this response. */
  take(req: IncomingMessage, res: ServerResponse, request: ValidatedRequest): void
  defect(res: ServerResponse, error: unknown): void
}

const INTERNAL_ERROR = catalogued('internal_error', { rpcCode: -32603 })

export function replier({ limiter, log }: ReplyDeps): Replier {
  function fault(req: IncomingMessage, res: ServerResponse, wire: RpcError, id: RpcId, pays: boolean): void {
    if (wire.catalogued !== undefined) setAccessLogFields(res, { code: wire.catalogued })
    if (wire.catalogued === undefined || consequenceOf(wire.catalogued).counted)
      limiter.hit(req, attempt(pays))
    writeFault(res, wire, id)
  }

  function take(req: IncomingMessage, res: ServerResponse, { requestContext, pays }: ValidatedRequest): void {
    Object.assign(res, {
      json(body: unknown) {
        finish(req, res, requestContext, pays, body)
        return res
      },
    })
  }

  function finish(
    req: IncomingMessage,
    res: ServerResponse,
    requestContext: RequestContext,
    pays: boolean,
    body: unknown,
  ): void {
    const { answer } = requestContext
    if (answer.type !== undefined) setAccessLogFields(res, { type: answer.type })
    if (answer.defect !== undefined) logDefect(res, answer.defect)
    for (const name of echoNames(requestContext)) res.setHeader(name, requestContext.extensions.join(', '))
    const failure = answer.fault ?? sdkFailure(res, body)
    if (failure !== undefined) {
      fault(req, res, failure, requestContext.id, pays)
      return
    }
    note(req, res, requestContext, pays)
    if (answer.delivered !== undefined) whenDelivered(res, answer.delivered)
    sendJson(res, body, { headers: answer.headers })
  }

  function note(req: IncomingMessage, res: ServerResponse, { answer }: RequestContext, pays: boolean): void {
    const { outcome, weight = 1 } = answer
    if (outcome !== undefined && outcome !== 'free') setAccessLogFields(res, { code: outcome })
    if (outcome === 'sold') for (let n = 0; n < weight; n++) limiter.takeBack(req)
    else if (outcome === 'payment_required') for (let n = 0; n < weight; n++) limiter.hit(req, attempt(pays))
    else if (outcome === 'free' || (isRefusal(outcome) && consequenceOf(outcome).counted))
      limiter.hit(req, attempt(pays))
  }

  /** Validation leaves the SDK nothing to refuse; if it refuses all the same, its words stay here. */
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

function isRefusal(outcome: RequestContext['answer']['outcome']): outcome is ErrorCode {
  return outcome !== undefined && outcome !== 'free' && outcome !== 'sold' && outcome !== 'replayed'
}

function attempt(pays: boolean): Attempt {
  return pays ? 'payment' : 'unpaid'
}

/** Header names under which the client's extensions are confirmed: those the client used, else those of its version. */
function echoNames({ extensions, extensionHeaders, version }: RequestContext): readonly string[] {
  if (extensions.length === 0) return []
  if (extensionHeaders.length > 0) return extensionHeaders
  return [version === '0.3' ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER]
}

function writeFault(res: ServerResponse, { status, headers, error, idless }: RpcError, id: RpcId): void {
  sendJson(res, { jsonrpc: '2.0', id: idless ? null : id, error }, { status, headers })
}
