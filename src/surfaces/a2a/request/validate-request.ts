/**
 * Everything that is settled before the SDK sees a request.
 *
 * The SDK repeats or logs a client's words in several places (unknown methods, part kinds, versions, the id of a
 * streaming request), answers a long body with a page of HTML and knows one header where two are in use. So a
 * request is judged here and then rebuilt from what was understood. Each trap is named by a test in
 * test/surfaces/a2a/edge-guard.test.ts.
 */
import type { IncomingMessage } from 'node:http'
import { readPaymentHeader } from '../../../http/headers/payment-header.ts'
import { invalidParams, invalidRequest, protocolFault, type RpcError } from '../reply/rpc-error.ts'
import { ownExtensions, readExtensionHeaders } from './extensions.ts'
import { leaksValue } from './id-leak-check.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { operationOf } from './methods.ts'
import { readPaymentSignal, SKILL_KEYS } from './payment-metadata.ts'
import { readVersionClaim, versionOfMethod } from './protocol-version.ts'
import { idOf, readEnvelope, readRequestObject } from './read-envelope.ts'
import type { Exchange, RpcId } from './request-context.ts'
import type { ClientIds } from './sanitize-message.ts'
import { sanitizeParams } from './sanitize-params.ts'

/** A request as it goes on: rebuilt, and nothing in it that was not read. */
export interface ValidatedRequest {
  readonly ok: true
  readonly exchange: Exchange
  /** The JSON-RPC request for the SDK. */
  readonly body: JsonObject
  /** True when it brings a payment of whatever worth. */
  readonly pays: boolean
}

export interface GuardRefusal {
  readonly ok: false
  readonly id: RpcId
  readonly fault: RpcError
}

/** Judges a request by its headers, query and body. */
export function validateRequest(req: IncomingMessage, bytes: Buffer): ValidatedRequest | GuardRefusal {
  const reading = readRequestObject(bytes)
  if (!reading.ok) return { ok: false, id: null, fault: reading.fault }
  const id = idOf(reading.value)
  const refuse = (fault: RpcError): GuardRefusal => ({ ok: false, id, fault })

  const spelt = valueInIds(reading.value)
  if (spelt === 'id') return refuse(ID_CARRIES_VALUE)
  const judged = readEnvelope(reading.value)
  if (!judged.ok) return refuse(judged.fault)
  const envelope = judged.value
  const claim = readVersionClaim(req)
  if (claim === undefined) return refuse(QUERY_NOT_ALLOWED)
  if (claim === 'unsupported') return refuse(protocolFault('VERSION_NOT_SUPPORTED'))
  const version = claim === 'unsaid' ? versionOfMethod(envelope.method) : claim
  const operation = operationOf(version, envelope.method)
  if (typeof operation !== 'string') return refuse(operation)
  if (spelt !== undefined) return refuse(invalidParams(`message.${spelt}`, CARRIES))
  const cleaned = sanitizeParams(operation, envelope.params, version)
  if (!cleaned.ok) return refuse(cleaned.fault)

  const { params } = cleaned.clean
  const message = isObject(params.message) ? params.message : {}
  const proof = readPaymentHeader(req)
  const asked = readExtensionHeaders(req)
  return {
    ok: true,
    exchange: {
      version,
      id,
      proof,
      extensions: [...new Set([...asked.uris, ...ownExtensions(message.extensions)])],
      extensionHeaders: asked.headers,
      answer: { headers: {} },
    },
    body: { jsonrpc: '2.0', id, method: envelope.method, params },
    pays: proof.kind !== 'none' || readPaymentSignal(metadataOf(message)).kind === 'submitted',
  }
}

const CARRIES = 'may not contain the value'
const ID_CARRIES_VALUE: RpcError = {
  ...invalidRequest('The member "id" may not contain the value.'),
  idless: true,
}
const QUERY_NOT_ALLOWED = invalidParams(
  'query',
  'may hold the protocol version and nothing else',
  'query_not_allowed',
)

/** Which of the ids a client chose spells the value; looked for in the raw message, so that no refusal repeats it. */
function valueInIds({ id, params }: JsonObject): 'id' | keyof ClientIds | undefined {
  const message = isObject(params) && isObject(params.message) ? params.message : {}
  const metadata = metadataOf(message)
  // The text of a paying follow-up is never a value, and may well speak of the task by its id.
  const pays = readPaymentSignal(metadata).kind === 'submitted'
  if (pays && (message.taskId ?? message.task_id ?? '') !== '') return undefined
  const parts = Array.isArray(message.parts) ? message.parts.filter(isObject) : []
  const named = SKILL_KEYS.some((key) => key in metadata)
  const spells = (text: unknown) =>
    (typeof text === 'string' || typeof text === 'number') && leaksValue(String(text), parts, named)
  if (spells(id)) return 'id'
  if (spells(message.messageId ?? message.message_id)) return 'messageId'
  if (spells(message.taskId ?? message.task_id)) return 'taskId'
  return spells(message.contextId ?? message.context_id) ? 'contextId' : undefined
}

function metadataOf(message: JsonObject): JsonObject {
  return isObject(message.metadata) ? message.metadata : {}
}
