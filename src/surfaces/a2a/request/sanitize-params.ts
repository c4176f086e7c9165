/** The parameters of each operation, copied member by member; see sanitize-message.ts for the reason. */

import { isObject, type JsonObject } from '../../../json.ts'
import { invalidParams } from '../reply/rpc-error.ts'
import type { Operation } from './methods.ts'
import type { ProtocolVersion } from './protocol-version.ts'
import { type Cleaning, type ClientIds, member, sanitizeMessage } from './sanitize-message.ts'

export interface SanitizedParams {
  readonly params: JsonObject
  /** Present for a message. */
  readonly ids?: ClientIds
}

const MAX_INT32 = 2_147_483_647

/** Largest page a client may ask for, A2A 1.0, section 3.1.4. */
const MAX_PAGE_SIZE = 100

/** Copies the parameters of an operation. */
export function sanitizeParams(
  operation: Operation,
  params: unknown,
  version: ProtocolVersion,
): Cleaning<SanitizedParams> {
  if (params === undefined && operation === 'list') return { ok: true, clean: { params: {} } }
  if (!isObject(params)) return bad('params', 'must be an object')
  if (operation === 'send') return cleanSend(params, version)
  if (operation === 'list') return cleanList(params, version)
  return cleanTaskQuery(params, version)
}

function cleanSend(params: JsonObject, version: ProtocolVersion): Cleaning<SanitizedParams> {
  const { configuration } = params
  if (configuration != null && !isObject(configuration)) return bad('configuration', 'must be an object')
  const history = historyLength(configuration ?? {}, version)
  if (!history.ok) return history
  const cleaned = sanitizeMessage(params.message, version)
  if (!cleaned.ok) return cleaned
  const { message, ids } = cleaned.clean
  // "blocking" and "returnImmediately" are left out: the answer is there at once either way.
  return { ok: true, clean: { params: { message, configuration: history.clean }, ids } }
}

function cleanTaskQuery(params: JsonObject, version: ProtocolVersion): Cleaning<SanitizedParams> {
  if (typeof params.id !== 'string' || params.id === '') return bad('id', 'must be a non-empty string')
  const history = historyLength(params, version)
  if (!history.ok) return history
  return { ok: true, clean: { params: { id: params.id, ...history.clean } } }
}

function cleanList(params: JsonObject, version: ProtocolVersion): Cleaning<SanitizedParams> {
  const history = historyLength(params, version)
  if (!history.ok) return history
  const pageSize = member(params, 'pageSize', version) ?? undefined
  if (pageSize !== undefined && !isIntegerWithin(pageSize, 1, MAX_PAGE_SIZE)) {
    return bad('pageSize', `must be an integer from 1 to ${MAX_PAGE_SIZE}`)
  }
  if ((member(params, 'pageToken', version) ?? '') !== '') return bad('pageToken', 'is not one of this agent')
  return { ok: true, clean: { params: pageSize === undefined ? {} : { pageSize } } }
}

function historyLength(object: JsonObject, version: ProtocolVersion): Cleaning<JsonObject> {
  const length = member(object, 'historyLength', version) ?? undefined
  if (length === undefined) return { ok: true, clean: {} }
  if (!isIntegerWithin(length, 0, MAX_INT32)) return bad('historyLength', 'must be an integer of 0 or more')
  return { ok: true, clean: { historyLength: length } }
}

function isIntegerWithin(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to
}

function bad(field: string, description: string): Cleaning<never> {
  return { ok: false, fault: invalidParams(field, description) }
}
