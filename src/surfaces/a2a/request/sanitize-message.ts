/**
 * Copies what this agent reads of a client's message, and nothing else: what the SDK never gets cannot be in its answers,
 * errors or log lines.
 */
import { isObject, type JsonObject } from '../../../values/json.ts'
import { invalidParams, protocolFault } from '../reply/rpc-error.ts'
import { ownExtensions } from './extensions.ts'
import { isMetadataKey } from './payment-metadata.ts'
import type { ProtocolVersion } from './protocol-version.ts'
import { MAX_CONTEXT_LENGTH, MAX_ID_LENGTH, type Reading } from './read-envelope.ts'

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
export function member(object: JsonObject, name: string, version: ProtocolVersion): unknown {
  if (version === '0.3' || Object.hasOwn(object, name)) return object[name]
  return object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

export function sanitizeMessage(message: unknown, version: ProtocolVersion): Reading<JsonObject> {
  if (!isObject(message)) return bad('message', 'must be an object')
  const ids = readIds(message, version)
  if (!ids.ok) return ids
  if (!ROLES[version].includes(message.role)) {
    return bad('message.role', version === '1.0' ? 'must be "ROLE_USER"' : 'must be "user"')
  }
  if (message.metadata != null && !isObject(message.metadata))
    return bad('message.metadata', 'must be an object')
  const metadata = Object.entries(message.metadata ?? {}).filter(([key]) => isMetadataKey(key))
  const parts = sanitizeParts(message.parts, version)
  if (!parts.ok) return parts
  const { taskId, contextId } = ids.value
  return {
    ok: true,
    value: {
      messageId: NEUTRAL_ID,
      role: version === '0.3' ? 'user' : 'ROLE_USER',
      parts: parts.value,
      metadata: Object.fromEntries(metadata),
      extensions: ownExtensions(message.extensions),
      ...(taskId === '' ? {} : { taskId }),
      ...(contextId === '' ? {} : { contextId }),
    },
  }
}

function readIds(
  message: JsonObject,
  version: ProtocolVersion,
): Reading<{ readonly taskId: string; readonly contextId: string }> {
  const messageId = member(message, 'messageId', version)
  const taskId = member(message, 'taskId', version) ?? ''
  const contextId = member(message, 'contextId', version) ?? ''
  if (typeof messageId !== 'string' || messageId === '')
    return bad('message.messageId', 'must be a non-empty string')
  if (messageId.length > MAX_ID_LENGTH)
    return bad('message.messageId', `may have at most ${MAX_ID_LENGTH} characters`)
  if (typeof taskId !== 'string') return bad('message.taskId', 'must be a string')
  if (typeof contextId !== 'string') return bad('message.contextId', 'must be a string')
  if (taskId.length > MAX_ID_LENGTH) return { ok: false, fault: protocolFault('TASK_NOT_FOUND') }
  if (contextId !== '' && !CONTEXT_ID.test(contextId)) {
    return bad('message.contextId', `may have 1 to ${MAX_CONTEXT_LENGTH} printable characters`)
  }
  return { ok: true, value: { taskId, contextId } }
}

function sanitizeParts(parts: unknown, version: ProtocolVersion): Reading<readonly JsonObject[]> {
  if (!Array.isArray(parts)) return bad('message.parts', 'must be an array')
  const sanitized: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const field = `message.parts[${index}]`
    if (!isObject(part)) return bad(field, 'must be an object')
    const reading = version === '0.3' ? sanitizeLegacyPart(part, field) : sanitizePart(part, field)
    if (!reading.ok) return reading
    sanitized.push(reading.value)
  }
  return { ok: true, value: sanitized }
}

function sanitizePart(part: JsonObject, field: string): Reading<JsonObject> {
  const given = ['text', 'data', 'raw', 'url'].filter((name) => part[name] != null)
  if (given.length !== 1) return bad(field, 'must have either "text" or "data"')
  const mediaType = member(part, 'mediaType', '1.0') ?? ''
  if (given[0] === 'text' && isTextual(mediaType)) return textPart({}, part.text, field)
  if (given[0] === 'data' && isJson(mediaType)) return dataPart({}, part.data, field)
  return { ok: false, fault: protocolFault('CONTENT_TYPE_NOT_SUPPORTED') }
}

function sanitizeLegacyPart(part: JsonObject, field: string): Reading<JsonObject> {
  if (part.kind === 'text') return textPart({ kind: 'text' }, part.text, field)
  if (part.kind === 'data') return dataPart({ kind: 'data' }, part.data, field)
  if (part.kind === 'file') return { ok: false, fault: protocolFault('CONTENT_TYPE_NOT_SUPPORTED') }
  return bad(`${field}.kind`, 'must be "text" or "data"')
}

function textPart(part: JsonObject, text: unknown, field: string): Reading<JsonObject> {
  if (typeof text !== 'string') return bad(`${field}.text`, 'must be a string')
  return { ok: true, value: { ...part, text } }
}

function dataPart(part: JsonObject, data: unknown, field: string): Reading<JsonObject> {
  if (!isObject(data)) return bad(`${field}.data`, 'must be an object')
  return { ok: true, value: { ...part, data } }
}

function isTextual(mediaType: unknown): boolean {
  return (
    typeof mediaType === 'string' && (isJson(mediaType) || /^text\/(plain|markdown)\s*(;|$)/i.test(mediaType))
  )
}

function isJson(mediaType: unknown): boolean {
  return typeof mediaType === 'string' && /^(application\/([a-z0-9.+-]+\+)?json\s*(;.*)?)?$/i.test(mediaType)
}

export function bad(field: string, description: string): Reading<never> {
  return { ok: false, fault: invalidParams(field, description) }
}
