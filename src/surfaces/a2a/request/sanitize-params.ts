/**
 * Copies what this agent reads of an operation's parameters, and nothing else: what the SDK never gets cannot be in its
 * answers, errors or log lines.
 */
import { isObject, type JsonObject } from '../../../values/json.ts'
import { invalidParams, protocolFault } from '../reply/rpc-error.ts'
import { ownExtensions } from './extensions.ts'
import type { Operation } from './methods.ts'
import { isMetadataKey } from './payment-metadata.ts'
import type { ProtocolVersion } from './protocol-version.ts'
import { MAX_CONTEXT_LENGTH, MAX_ID_LENGTH, type Reading, read } from './read-envelope.ts'

const MAX_INT32 = 2_147_483_647

/** A2A 1.0, section 3.1.4. */
const MAX_PAGE_SIZE = 100

export function sanitizeParams(
  operation: Operation,
  params: unknown,
  version: ProtocolVersion,
): Reading<JsonObject> {
  if (params === undefined && operation === 'list') return read({})
  if (!isObject(params)) return invalidParams('params', 'must be an object')
  if (operation === 'send') return sanitizeSend(params, version)
  if (operation === 'list') return sanitizeList(params, version)
  return sanitizeTaskQuery(params, version)
}

function sanitizeSend(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const { configuration } = params
  if (configuration != null && !isObject(configuration))
    return invalidParams('configuration', 'must be an object')
  const history = historyLength(configuration ?? {}, version)
  if (history.kind === 'fault') return history
  const message = sanitizeMessage(params.message, version)
  if (message.kind === 'fault') return message
  // "blocking" and "returnImmediately" are not copied: every answer is complete at once.
  return read({ message: message.value, configuration: history.value })
}

function sanitizeTaskQuery(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  if (typeof params.id !== 'string' || params.id === '')
    return invalidParams('id', 'must be a non-empty string')
  const history = historyLength(params, version)
  if (history.kind === 'fault') return history
  return read({ id: params.id, ...history.value })
}

function sanitizeList(params: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const history = historyLength(params, version)
  if (history.kind === 'fault') return history
  const pageSize = member(params, 'pageSize', version) ?? undefined
  if (pageSize !== undefined && !isIntegerWithin(pageSize, 1, MAX_PAGE_SIZE)) {
    return invalidParams('pageSize', `must be an integer from 1 to ${MAX_PAGE_SIZE}`)
  }
  if ((member(params, 'pageToken', version) ?? '') !== '')
    return invalidParams('pageToken', 'is not one of this agent')
  return read({ pageSize })
}

function historyLength(object: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const length = member(object, 'historyLength', version) ?? undefined
  if (length === undefined) return read({})
  if (!isIntegerWithin(length, 0, MAX_INT32))
    return invalidParams('historyLength', 'must be an integer of 0 or more')
  return read({ historyLength: length })
}

function isIntegerWithin(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to
}

/** Replaces the client's message id. */
const NEUTRAL_ID = 'request'

/** Printable: no control, direction or unassigned characters, and no lone surrogates. */
const CONTEXT_ID = new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{1,${MAX_CONTEXT_LENGTH}}$`, 'u')
const ROLES: Readonly<Record<ProtocolVersion, readonly unknown[]>> = {
  '1.0': ['ROLE_USER', 'ROLE_AGENT', 1, 2],
  '0.3': ['user', 'agent'],
}

/**
 * Returns a member by its JSON name. In 1.0 it may also have its protobuf name ("task_id"), which parsers must accept.
 */
function member(object: JsonObject, name: string, version: ProtocolVersion): unknown {
  if (version === '0.3' || Object.hasOwn(object, name)) return object[name]
  return object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

function sanitizeMessage(message: unknown, version: ProtocolVersion): Reading<JsonObject> {
  if (!isObject(message)) return invalidParams('message', 'must be an object')
  const ids = readIds(message, version)
  if (ids.kind === 'fault') return ids
  if (!ROLES[version].includes(message.role)) {
    return invalidParams('message.role', version === '1.0' ? 'must be "ROLE_USER"' : 'must be "user"')
  }
  if (message.metadata != null && !isObject(message.metadata))
    return invalidParams('message.metadata', 'must be an object')
  const metadata = Object.entries(message.metadata ?? {}).filter(([key]) => isMetadataKey(key))
  const parts = sanitizeParts(message.parts, version)
  if (parts.kind === 'fault') return parts
  const { taskId, contextId } = ids.value
  return read({
    messageId: NEUTRAL_ID,
    role: version === '0.3' ? 'user' : 'ROLE_USER',
    parts: parts.value,
    metadata: Object.fromEntries(metadata),
    extensions: ownExtensions(message.extensions),
    ...(taskId === '' ? {} : { taskId }),
    ...(contextId === '' ? {} : { contextId }),
  })
}

function readIds(
  message: JsonObject,
  version: ProtocolVersion,
): Reading<{ readonly taskId: string; readonly contextId: string }> {
  const messageId = member(message, 'messageId', version)
  const taskId = member(message, 'taskId', version) ?? ''
  const contextId = member(message, 'contextId', version) ?? ''
  if (typeof messageId !== 'string' || messageId === '')
    return invalidParams('message.messageId', 'must be a non-empty string')
  if (messageId.length > MAX_ID_LENGTH)
    return invalidParams('message.messageId', `may have at most ${MAX_ID_LENGTH} characters`)
  if (typeof taskId !== 'string') return invalidParams('message.taskId', 'must be a string')
  if (typeof contextId !== 'string') return invalidParams('message.contextId', 'must be a string')
  if (taskId.length > MAX_ID_LENGTH) return protocolFault('TASK_NOT_FOUND')
  if (contextId !== '' && !CONTEXT_ID.test(contextId)) {
    return invalidParams('message.contextId', `may have 1 to ${MAX_CONTEXT_LENGTH} printable characters`)
  }
  return read({ taskId, contextId })
}

function sanitizeParts(parts: unknown, version: ProtocolVersion): Reading<readonly JsonObject[]> {
  if (!Array.isArray(parts)) return invalidParams('message.parts', 'must be an array')
  const sanitized: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const field = `message.parts[${index}]`
    if (!isObject(part)) return invalidParams(field, 'must be an object')
    const reading = version === '0.3' ? sanitizeLegacyPart(part, field) : sanitizePart(part, field)
    if (reading.kind === 'fault') return reading
    sanitized.push(reading.value)
  }
  return read(sanitized)
}

function sanitizePart(part: JsonObject, field: string): Reading<JsonObject> {
  const given = ['text', 'data', 'raw', 'url'].filter((name) => part[name] != null)
  if (given.length !== 1) return invalidParams(field, 'must have either "text" or "data"')
  const mediaType = member(part, 'mediaType', '1.0') ?? ''
  if (given[0] === 'text' && isTextual(mediaType)) return textPart({}, part.text, field)
  if (given[0] === 'data' && isJson(mediaType)) return dataPart({}, part.data, field)
  return protocolFault('CONTENT_TYPE_NOT_SUPPORTED')
}

function sanitizeLegacyPart(part: JsonObject, field: string): Reading<JsonObject> {
  if (part.kind === 'text') return textPart({ kind: 'text' }, part.text, field)
  if (part.kind === 'data') return dataPart({ kind: 'data' }, part.data, field)
  if (part.kind === 'file') return protocolFault('CONTENT_TYPE_NOT_SUPPORTED')
  return invalidParams(`${field}.kind`, 'must be "text" or "data"')
}

function textPart(part: JsonObject, text: unknown, field: string): Reading<JsonObject> {
  if (typeof text !== 'string') return invalidParams(`${field}.text`, 'must be a string')
  return read({ ...part, text })
}

function dataPart(part: JsonObject, data: unknown, field: string): Reading<JsonObject> {
  if (!isObject(data)) return invalidParams(`${field}.data`, 'must be an object')
  return read({ ...part, data })
}

function isTextual(mediaType: unknown): boolean {
  return (
    typeof mediaType === 'string' && (isJson(mediaType) || /^text\/(plain|markdown)\s*(;|$)/i.test(mediaType))
  )
}

function isJson(mediaType: unknown): boolean {
  return typeof mediaType === 'string' && /^(application\/([a-z0-9.+-]+\+)?json\s*(;.*)?)?$/i.test(mediaType)
}
