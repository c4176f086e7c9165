/**
 * The JSON-RPC envelope (JSON-RPC 2.0, section 4; A2A 1.0, section 9).
 *
 * The SDK answers a malformed 1.0 envelope with -32602 where the specification has -32600, and accepts ids of any
 * length; so the envelope is checked here and reaches the SDK only if it is sound.
 */

import { readJson } from '../../../http/body/read-json.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { invalidRequest, protocolFault, type RpcError } from '../reply/rpc-error.ts'
import { isShallow } from './parse-object.ts'
import type { RpcId } from './request-context.ts'

/** Longest id of any kind; a longer one is refused unread, because ids are compared with every word of a message. */
export const MAX_ID_LENGTH = 128

export interface Envelope {
  readonly method: string
  /** Undefined if the request has none. */
  readonly params: unknown
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: RpcError }

/** Reads bytes as a JSON object; a body that is not one has no id to answer to. */
export function readRequestObject(bytes: Buffer): Reading<JsonObject> {
  const json = readJson(bytes)
  if (json === undefined)
    return { ok: false, fault: { ...protocolFault('PARSE_ERROR'), catalogued: 'not_json' } }
  if (Array.isArray(json)) return invalid('Batches are not supported; send one request.')
  if (!isObject(json)) return invalid('The body must be a JSON-RPC 2.0 request object.')
  return isShallow(json) ? { ok: true, value: json } : invalid('The request is nested too deeply.')
}

/** Returns the id that a refusal answers to: the request's own if it is one, else null. */
export function idOf({ id }: JsonObject): RpcId {
  return isRpcId(id) ? id : null
}

/** Checks the members of a request object but for a missing id, which is refused after method and parameters. */
export function readEnvelope({ jsonrpc, id, method, params }: JsonObject): Reading<Envelope> {
  if (jsonrpc !== '2.0') return invalid('The member "jsonrpc" must be "2.0".')
  if (id !== undefined && !isRpcId(id)) {
    return invalid(
      `The member "id" must be null, an integer or a string of at most ${MAX_ID_LENGTH} characters.`,
    )
  }
  if (typeof method !== 'string') return invalid('The member "method" must be a string.')
  return { ok: true, value: { method, params } }
}

/** A request without an id: a notification, which this agent does not answer. */
export const ID_MISSING: RpcError = invalidRequest(
  'The member "id" is missing; this agent does not take notifications.',
)

function isRpcId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH
  return id === null || Number.isSafeInteger(id)
}

function invalid(message: string): { readonly ok: false; readonly fault: RpcError } {
  return { ok: false, fault: invalidRequest(message) }
}
