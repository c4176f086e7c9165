/**
 * Checks a request and rebuilds it from what was understood, before the SDK sees it.
 *
 * The SDK repeats or logs a client's words in several places (unknown methods, part kinds, versions, the id of a
 * streaming request), answers a long body with an HTML page and knows one extension header where two are in use.
 * test/surfaces/a2a/request/validate-request.test.ts names each trap.
 */
import type { IncomingMessage } from 'node:http'
import { asksForChannels } from '../../../http/headers/channels-header.ts'
import { readPaymentHeader } from '../../../http/headers/payment-header.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { invalidParams, invalidRequest, protocolFault, type RpcError } from '../reply/rpc-error.ts'
import { ownExtensions, readExtensionHeaders } from './extensions.ts'
import { leakCheck } from './id-leak-check.ts'
import { operationOf } from './methods.ts'
import { concernsChannels, readPaymentSignal, SKILL_KEYS } from './payment-metadata.ts'
import { readVersionClaim, versionOfMethod } from './protocol-version.ts'
import { ID_MISSING, idOf, MAX_ID_LENGTH, readEnvelope, readRequestObject } from './read-envelope.ts'
import type { RequestContext, RpcId } from './request-context.ts'
import { sanitizeParams } from './sanitize-params.ts'

/** A rebuilt request: it holds nothing that was not understood. */
export interface ValidatedRequest {
  readonly ok: true
  readonly requestContext: RequestContext
  readonly body: JsonObject
  /** True if it carries a payment, valid or not. */
  readonly pays: boolean
}

export interface RefusedRequest {
  readonly ok: false
  readonly id: RpcId
  readonly fault: RpcError
}

/** A body read as a JSON object; nothing in it has been checked. */
export interface ReadRequest {
  readonly ok: true
  readonly request: JsonObject
  readonly id: RpcId
  /** True if it carries a payment, valid or not. */
  readonly pays: boolean
}

export function readRequest(req: IncomingMessage, bytes: Buffer): ReadRequest | RefusedRequest {
  const reading = readRequestObject(bytes)
  if (!reading.ok) return { ok: false, id: null, fault: reading.fault }
  const { params } = reading.value
  const message = isObject(params) && isObject(params.message) ? params.message : {}
  return {
    ok: true,
    request: reading.value,
    id: idOf(reading.value),
    pays:
      readPaymentHeader(req).kind !== 'none' || readPaymentSignal(metadataOf(message)).kind === 'submitted',
  }
}

/** Checks a request: method, then parameters, then a missing id, as JSON-RPC clients expect their errors. */
export function validateRequest(
  req: IncomingMessage,
  { request, id, pays }: ReadRequest,
  client: string,
): ValidatedRequest | RefusedRequest {
  const refuse = (fault: RpcError): RefusedRequest => ({ ok: false, id, fault })

  const spelt = valueInIds(request)
  if (spelt === 'id') return refuse(ID_CARRIES_VALUE)
  const read = readEnvelope(request)
  if (!read.ok) return refuse(read.fault)
  const envelope = read.value
  const claim = readVersionClaim(req)
  if (claim === undefined) return refuse(QUERY_NOT_ALLOWED)
  if (claim === 'unsupported') return refuse(protocolFault('VERSION_NOT_SUPPORTED'))
  const version = claim === 'unsaid' ? versionOfMethod(envelope.method) : claim
  const operation = operationOf(version, envelope.method)
  if (typeof operation !== 'string') return refuse(operation)
  if (spelt === 'contextId') return refuse(CONTEXT_CARRIES_VALUE)
  const sanitized = sanitizeParams(operation, envelope.params, version)
  if (!sanitized.ok) return refuse(sanitized.fault)
  if (request.id === undefined) return refuse(ID_MISSING)

  const params = sanitized.value
  const message = isObject(params.message) ? params.message : {}
  const asked = readExtensionHeaders(req)
  return {
    ok: true,
    requestContext: {
      version,
      id,
      rawPayment: readPaymentHeader(req),
      channels: asksForChannels(req) || concernsChannels(metadataOf(message)),
      extensions: [...new Set([...asked.uris, ...ownExtensions(message.extensions)])],
      extensionHeaders: asked.headers,
      client,
      answer: { headers: {} },
    },
    body: { jsonrpc: '2.0', id, method: envelope.method, params },
    pays,
  }
}

const CONTEXT_CARRIES_VALUE = invalidParams('message.contextId', 'must not contain the value')
const ID_CARRIES_VALUE: RpcError = {
  ...invalidRequest('The member "id" must not contain the value.'),
  idless: true,
}
const QUERY_NOT_ALLOWED = invalidParams(
  'query',
  'may hold the protocol version and nothing else',
  'query_not_allowed',
)

/** Returns which of the ids that are repeated spells the value; checked on the raw message, so that no refusal repeats it. */
function valueInIds({ id, params }: JsonObject): 'id' | 'contextId' | undefined {
  const message = isObject(params) && isObject(params.message) ? params.message : {}
  const metadata = metadataOf(message)
  // The text of a paying follow-up is never a value, and may name the task by its id.
  const pays = readPaymentSignal(metadata).kind === 'submitted'
  if (pays && (message.taskId ?? message.task_id ?? '') !== '') return undefined
  const parts = Array.isArray(message.parts) ? message.parts.filter(isObject) : []
  const named = SKILL_KEYS.some((key) => key in metadata)
  const leaks = leakCheck(parts, named)
  // A longer id is refused for its length; it is neither compared nor repeated.
  const spells = (text: unknown) =>
    (typeof text === 'number' || (typeof text === 'string' && text.length <= MAX_ID_LENGTH)) &&
    leaks(String(text))
  if (spells(id)) return 'id'
  return spells(message.contextId ?? message.context_id) ? 'contextId' : undefined
}

function metadataOf(message: JsonObject): JsonObject {
  return isObject(message.metadata) ? message.metadata : {}
}
