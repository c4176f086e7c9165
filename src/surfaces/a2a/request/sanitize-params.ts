/** The parameters of each operation, copied member by member for the reason given in sanitize-message.ts. */
import { isObject, type JsonObject } from '../../../values/json.ts'
import type { Operation } from './methods.ts'
import type { ProtocolVersion } from './protocol-version.ts'
import type { Reading } from './read-envelope.ts'
import { bad, member, sanitizeMessage } from './sanitize-message.ts'

const MAX_INT32 = 2_147_483_647

/** A2A 1.0, section 3.1.4. */
const MAX_PAGE_SIZE = 100

export function sanitizeParams(
  operation: Operation,
  params: unknown,
  version: ProtocolVersion,
): Reading<JsonObject> {
  if (params === undefined && operation === 'list') return { ok: true, value: {} }
  if (!isObject(params)) return bad('params', 'must be an object')
  if (operation === 'send') return sanitizeSend(params, version)
  if (operation === 'list') return sanitizeList(params, version)
  return sanitizeTaskQuery(params, version)
}

function sanitizeSend(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const { configuration } = params
  if (configuration != null && !isObject(configuration)) return bad('configuration', 'must be an object')
  const history = historyLength(configuration ?? {}, version)
  if (!history.ok) return history
  const message = sanitizeMessage(params.message, version)
  if (!message.ok) return message
  // "blocking" and "returnImmediately" are not copied: every answer is complete at once.
  return { ok: true, value: { message: message.value, configuration: history.value } }
}

function sanitizeTaskQuery(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  if (typeof params.id !== 'string' || params.id === '') return bad('id', 'must be a non-empty string')
  const history = historyLength(params, version)
  if (!history.ok) return history
  return { ok: true, value: { id: params.id, ...history.value } }
}

function sanitizeList(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const history = historyLength(params, version)
  if (!history.ok) return history
  const pageSize = member(params, 'pageSize', version) ?? undefined
  if (pageSize !== undefined && !isIntegerWithin(pageSize, 1, MAX_PAGE_SIZE)) {
    return bad('pageSize', `must be an integer from 1 to ${MAX_PAGE_SIZE}`)
  }
  if ((member(params, 'pageToken', version) ?? '') !== '') return bad('pageToken', 'is not one of this agent')
  return { ok: true, value: { pageSize } }
}

function historyLength(object: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const length = member(object, 'historyLength', version) ?? undefined
  if (length === undefined) return { ok: true, value: {} }
  if (!isIntegerWithin(length, 0, MAX_INT32)) return bad('historyLength', 'must be an integer of 0 or more')
  return { ok: true, value: { historyLength: length } }
}

function isIntegerWithin(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to
}
