/**
 * Copies what this agent reads of an operation's parameters, and nothing else: what the SDK never gets cannot be in its
 * answers, errors or log lines.
 */
import { isObject, type JsonObject } from '../../../values/json.ts'
import { ownExtensions } from '../protocol/extensions.ts'
import { isMetadataKey } from '../protocol/payment-metadata.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { invalidParams, protocolFault } from '../protocol/rpc-error.ts'
import type { Operation } from './methods.ts'
import { MAX_CONTEXT_LENGTH, MAX_ID_LENGTH, type Reading, read } from './read-envelope.ts'
import { readMembers } from './read-members.ts'

/** A2A 1.0, section 3.1.4. */
const MAX_PAGE_SIZE = 100

const REQUESTS = {
  send: 'SendMessageRequest',
  get: 'GetTaskRequest',
  cancel: 'CancelTaskRequest',
  list: 'ListTasksRequest',
} as const satisfies Record<Operation, string>

export function sanitizeParams(
  operation: Operation,
  params: unknown,
  version: ProtocolVersion,
): Reading<JsonObject> {
  if (params === undefined && operation === 'list') return read({})
  if (!isObject(params)) return invalidParams('params', 'must be an object')
  const members = readMembers(params, REQUESTS[operation], version)
  if (members.kind === 'fault') return members
  if (operation === 'send') return sanitizeSend(members.value, version)
  const history = historyLength(members.value)
  if (history.kind === 'fault') return history
  return operation === 'list'
    ? sanitizeList(members.value)
    : sanitizeTaskQuery({ ...members.value, ...history.value })
}

function sanitizeSend({ configuration, message }: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const history = historyLength(configuration as JsonObject | undefined)
  if (history.kind === 'fault') return history
  if (message === undefined) return invalidParams('message', 'must be an object')
  const sanitized = sanitizeMessage(message as JsonObject, version)
  if (sanitized.kind === 'fault') return sanitized
  // "blocking" and "returnImmediately" are not copied: every answer is complete at once.
  return read({ message: sanitized.value, configuration: history.value })
}

function sanitizeTaskQuery({ id, historyLength }: JsonObject): Reading<JsonObject> {
  if (id === undefined || id === '') return invalidParams('id', 'must be a non-empty string')
  return read({ id, ...(historyLength !== undefined && { historyLength }) })
}

function sanitizeList({ pageSize, pageToken = '' }: JsonObject): Reading<JsonObject> {
  if (pageSize !== undefined && (Number(pageSize) < 1 || Number(pageSize) > MAX_PAGE_SIZE))
    return invalidParams('pageSize', `must be an integer from 1 to ${MAX_PAGE_SIZE}`)
  if (pageToken !== '') return invalidParams('pageToken', 'is not one of this agent')
  return read({ pageSize })
}

function historyLength({ historyLength }: JsonObject = {}): Reading<JsonObject> {
  if (historyLength === undefined) return read({})
  if (Number(historyLength) < 0) return invalidParams('historyLength', 'must be an integer of 0 or more')
  return read({ historyLength })
}

/** Replaces the client's message id. */
const NEUTRAL_ID = 'request'

/** Printable: no control, direction or unassigned characters, and no lone surrogates. */
const CONTEXT_ID = new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{1,${MAX_CONTEXT_LENGTH}}$`, 'u')

function sanitizeMessage(message: JsonObject, version: ProtocolVersion): Reading<JsonObject> {
  const ids = readIds(message)
  if (ids.kind === 'fault') return ids
  if (message.role !== 'ROLE_USER' && message.role !== 'ROLE_AGENT')
    return invalidParams('message.role', version === '1.0' ? 'must be "ROLE_USER"' : 'must be "user"')
  const metadata = Object.entries(message.metadata ?? {}).filter(([key]) => isMetadataKey(key))
  const sanitized = sanitizeParts(message.parts, version)
  if (sanitized.kind === 'fault') return sanitized
  const { taskId, contextId } = ids.value
  return read({
    messageId: NEUTRAL_ID,
    role: version === '0.3' ? 'user' : 'ROLE_USER',
    parts: sanitized.value,
    metadata: Object.fromEntries(metadata),
    extensions: ownExtensions(message.extensions),
    ...(taskId === '' ? {} : { taskId }),
    ...(contextId === '' ? {} : { contextId }),
  })
}

/** Text, if given: the table of members says so. */
interface MessageIds {
  readonly messageId?: string
  readonly taskId?: string
  readonly contextId?: string
}

function readIds({ messageId = '', taskId = '', contextId = '' }: MessageIds): Reading<Required<MessageIds>> {
  if (messageId === '') return invalidParams('message.messageId', 'must be a non-empty string')
  if (messageId.length > MAX_CONTEXT_LENGTH && [...messageId].length > MAX_CONTEXT_LENGTH)
    return invalidParams('message.messageId', `may have at most ${MAX_CONTEXT_LENGTH} characters`)
  if (taskId.length > MAX_ID_LENGTH) return protocolFault('TASK_NOT_FOUND')
  if (contextId !== '' && !CONTEXT_ID.test(contextId)) {
    return invalidParams('message.contextId', `may have 1 to ${MAX_CONTEXT_LENGTH} printable characters`)
  }
  return read({ messageId, taskId, contextId })
}

function sanitizeParts(parts: unknown, version: ProtocolVersion): Reading<readonly JsonObject[]> {
  if (!Array.isArray(parts)) return invalidParams('message.parts', 'must be an array')
  const sanitized: JsonObject[] = []
  for (const [index, part] of (parts as readonly JsonObject[]).entries()) {
    const field = `message.parts[${index}]`
    const reading = version === '0.3' ? sanitizeLegacyPart(part, field) : sanitizePart(part, field)
    if (reading.kind === 'fault') return reading
    sanitized.push(reading.value)
  }
  return read(sanitized)
}

function sanitizePart(part: JsonObject, field: string): Reading<JsonObject> {
  const given = ['text', 'data', 'raw', 'url'].filter((name) => part[name] != null)
  if (given.length !== 1) return invalidParams(field, 'must have either "text" or "data"')
  const { mediaType = '' } = part
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
