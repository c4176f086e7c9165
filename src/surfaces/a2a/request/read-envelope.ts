/**
 * The JSON-RPC envelope (JSON-RPC 2.0, section 4; A2A 1.0, section 9).
 *
 * The SDK answers a malformed 1.0 envelope with -32602 where the specification has -32600, and takes ids of any
 * length; so the envelope is judged here and reaches the SDK only when it is sound.
 */

import { invalidRequest, protocolFault, type RpcError } from '../reply/rpc-error.ts'
import { isObject, type JsonObject } from './json-object.ts'
import type { RpcId } from './request-context.ts'

/** Longest id that is repeated in an answer; a UUID needs 36. */
export const MAX_ID_LENGTH = 64

/** How deep the members of a request may be nested; a payment payload needs about ten levels. */
const MAX_DEPTH = 48

export interface Envelope {
  readonly method: string
  /** Undefined when there are none. */
  readonly params: unknown
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: RpcError }

/** Reads bytes as the JSON object a request has to be; what it is not has no id to answer to. */
export function readRequestObject(bytes: Buffer): Reading<JsonObject> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The engine's message quotes the text, so nothing of the error is kept.
    return { ok: false, fault: { ...protocolFault('PARSE_ERROR'), catalogued: 'not_json' } }
  }
  if (Array.isArray(json)) return invalid('Batches are not supported; send one request.')
  if (!isObject(json)) return invalid('The body has to be a JSON-RPC 2.0 request object.')
  return isFlat(json, MAX_DEPTH) ? { ok: true, value: json } : invalid('The request is nested too deeply.')
}

/** The id a refusal answers to: the request's own where it is one, else null. */
export function idOf({ id }: JsonObject): RpcId {
  return isRpcId(id) ? id : null
}

/** Judges the members of a request object. */
export function readEnvelope(request: JsonObject): Reading<Envelope> {
  const { jsonrpc, id, method, params } = request
  if (jsonrpc !== '2.0') return invalid('The member "jsonrpc" has to be "2.0".')
  if (id === undefined) return invalid('The member "id" is missing; this agent answers no notifications.')
  if (!isRpcId(id)) {
    return invalid(
      `The member "id" has to be null, an integer or a string of at most ${MAX_ID_LENGTH} characters.`,
    )
  }
  if (typeof method !== 'string') return invalid('The member "method" has to be a string.')
  return { ok: true, value: { method, params } }
}

function isRpcId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH
  return id === null || Number.isSafeInteger(id)
}

function isFlat(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((member) => isFlat(member, depth - 1))
}

function invalid(message: string): { readonly ok: false; readonly fault: RpcError } {
  return { ok: false, fault: invalidRequest(message) }
}
