/**
 * Rebuilds a request from what was understood, before the SDK sees it: the SDK repeats or logs a client's words in
 * several places and reads only one of the two extension headers in use. Each case has a test in
 * test/surfaces/a2a/request/validate-request.test.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readPaymentHeader } from '../../../http/headers/payment-header.ts'
import { type Attempt, attemptOf } from '../../../http/limits/unpaid-limiter.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import { asksForAllSchemes } from '../../call/request-options.ts'
import { ownExtensions, readExtensionHeaders } from '../protocol/extensions.ts'
import { paysByOtherScheme, readPaymentSignal, SKILL_KEYS } from '../protocol/payment-metadata.ts'
import { readVersionClaim, versionOfMethod } from '../protocol/protocol-version.ts'
import type { RequestContext, RpcId } from '../protocol/request-context.ts'
import { invalidParams, invalidRequest, protocolFault, type RpcError } from '../protocol/rpc-error.ts'
import { leakCheck } from './id-leak-check.ts'
import { operationOf } from './methods.ts'
import {
  ID_MISSING,
  idOf,
  MAX_CONTEXT_LENGTH,
  MAX_ID_LENGTH,
  messageOf,
  type Reading,
  read,
  readMethod,
  readRequestObject,
} from './read-envelope.ts'
import { sanitizeParams } from './sanitize-params.ts'

/** Nothing in it has been checked. */
export interface ReadRequest {
  readonly request: JsonObject
  readonly id: RpcId
  readonly attempt: Attempt
}

export interface ValidatedRequest {
  readonly requestContext: RequestContext
  readonly body: JsonObject
}

export function readRequest(req: IncomingMessage, bytes: Buffer): Reading<ReadRequest> {
  const reading = readRequestObject(bytes)
  if (reading.kind === 'fault') return reading
  const request = reading.value
  const attempt = paysInBand(messageOf(request)) ? 'payment' : attemptOf(readPaymentHeader(req))
  return read({ request, id: idOf(request), attempt })
}

/** The id for a refusal that comes before the checks; null if it spells the value. */
export const harmlessId = ({ request, id }: ReadRequest): RpcId => (valueInIds(request) === 'id' ? null : id)

/** Checks the method, then the parameters, then for a missing id: the order in which JSON-RPC clients expect errors. */
export function validateRequest(
  res: ServerResponse,
  { request, id, attempt }: ReadRequest,
): Reading<ValidatedRequest> {
  const { req } = res
  const spelt = valueInIds(request)
  if (spelt === 'id') return ID_CARRIES_VALUE
  const method = readMethod(request)
  if (method.kind === 'fault') return method
  const claim = readVersionClaim(req)
  if (claim === undefined) return QUERY_NOT_ALLOWED
  if (claim === 'unsupported') return protocolFault('VERSION_NOT_SUPPORTED')
  const version = claim === 'unsaid' ? versionOfMethod(method.value) : claim
  const operation = operationOf(version, method.value)
  if (typeof operation !== 'string') return operation
  if (spelt === 'contextId') return CONTEXT_CARRIES_VALUE
  const params = sanitizeParams(operation, request.params, version)
  if (params.kind === 'fault') return params
  if (request.id === undefined) return ID_MISSING

  const body = { jsonrpc: '2.0', id, method: method.value, params: params.value }
  const message = messageOf(body)
  const metadata = metadataOf(message)
  const asked = readExtensionHeaders(req)
  const requestContext: RequestContext = {
    version,
    id,
    attempt,
    res,
    surface: 'a2a',
    payment: readPaymentHeader(req),
    asksForAllSchemes: asksForAllSchemes(metadata) || paysByOtherScheme(metadata),
    extensions: [...new Set([...asked.uris, ...ownExtensions(message.extensions)])],
    extensionHeaders: asked.headers,
  }
  return read({ requestContext, body })
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

/** Reads the raw message, so that no refusal repeats such an id. */
function valueInIds(request: JsonObject): 'id' | 'contextId' | undefined {
  const message = messageOf(request)
  // The text of a paying follow-up is never a value, and may name the task by its id.
  if (paysInBand(message) && (message.taskId ?? message.task_id ?? '') !== '') return undefined
  const parts = Array.isArray(message.parts) ? message.parts.filter(isObject) : []
  const named = SKILL_KEYS.some((key) => key in metadataOf(message))
  const leaks = leakCheck(parts, named)
  // A longer id is refused for its length and never repeated.
  const spells = (text: unknown, most: number) =>
    (typeof text === 'number' || (typeof text === 'string' && text.length <= most)) && leaks(String(text))
  if (spells(request.id, MAX_ID_LENGTH)) return 'id'
  // A code point takes up to two units.
  return spells(message.contextId ?? message.context_id, 2 * MAX_CONTEXT_LENGTH) ? 'contextId' : undefined
}

const paysInBand = (message: JsonObject): boolean =>
  readPaymentSignal(metadataOf(message)).kind === 'submitted'

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {})
