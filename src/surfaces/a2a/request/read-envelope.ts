/**
 * JSON-RPC 2.0, section 4; A2A 1.0, section 9. Checked here: the SDK answers a malformed envelope with -32602 in place
 * of -32600, and accepts ids of any length.
 */
import { readJson } from '../../../http/body/read-json.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import type { RpcId } from '../protocol/request-context.ts'
import { invalidRequest, protocolFault, type RpcError } from '../protocol/rpc-error.ts'
import { isShallow } from './parse-object.ts'

/** Characters of an id of any kind. It is limited because ids are compared with every word of a message. */
export const MAX_ID_LENGTH = 128

/** Characters (code points) of the ids of a message and its context: some frameworks put a path or an address into one. */
export const MAX_CONTEXT_LENGTH = 256

export type Reading<T> = { readonly kind: 'read'; readonly value: T } | RpcError

export const read = <T>(value: T): Reading<T> => ({ kind: 'read', value })

export function readRequestObject(bytes: Buffer): Reading<JsonObject> {
  const json = readJson(bytes)
  if (json === undefined) return { ...protocolFault('PARSE_ERROR'), catalogued: 'not_json' }
  if (Array.isArray(json)) return invalidRequest('Batches are not supported; send one request.')
  if (!isObject(json)) return invalidRequest('The body must be a JSON-RPC 2.0 request object.')
  return isShallow(json) ? read(json) : invalidRequest('The request is nested too deeply.')
}

/** Null unless the request has a valid id. */
export const idOf = ({ id }: JsonObject): RpcId => (isRpcId(id) ? id : null)

export const messageOf = ({ params }: JsonObject): JsonObject =>
  isObject(params) && isObject(params.message) ? params.message : {}

/** A missing id is left to the caller. */
export function readMethod({ jsonrpc, id, method }: JsonObject): Reading<string> {
  if (jsonrpc !== '2.0') return invalidRequest('The member "jsonrpc" must be "2.0".')
  if (id !== undefined && !isRpcId(id)) {
    return invalidRequest(
      `The member "id" must be null, an integer or a string of at most ${MAX_ID_LENGTH} characters.`,
    )
  }
  if (typeof method !== 'string') return invalidRequest('The member "method" must be a string.')
  return read(method)
}

export const ID_MISSING: RpcError = invalidRequest(
  'The member "id" is missing; this agent does not take notifications.',
)

function isRpcId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH
  return id === null || Number.isSafeInteger(id)
}
