/**
 * Everything that can be wrong with a request before money is spoken of, in the order in which it is answered.
 */
import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { readBody } from '../../http/body/read-body.ts'
import { hasQuery } from '../../http/request-target.ts'
import type { Skill } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import { readJson } from './read-json.ts'

/** Bytes of a request body; the longest allowed value, written in escapes, needs 6,156. */
export const BODY_LIMIT = 8192

export type RequestReading =
  | { readonly kind: 'value'; readonly value: string }
  /** A body of length 0: what registries send to see whether a route asks for payment. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'bad'; readonly code: ErrorCode }
  | { readonly kind: 'aborted' }

/** Reads the one string of a check request; nothing of the request is kept in what it returns but that. */
export async function readRequest(req: IncomingMessage, skill: Skill): Promise<RequestReading> {
  if (hasQuery(req)) return bad('query_not_allowed')
  const body = await readBody(req, BODY_LIMIT)
  if (body.kind === 'aborted') return body
  if (body.kind === 'read' && body.bytes.length === 0) return { kind: 'probe' }
  if (isEncoded(req)) return bad('unsupported_content_encoding')
  if (!isJsonMediaType(req.headers['content-type'])) return bad('unsupported_media_type')
  if (body.kind === 'too_large') return bad('body_too_large')
  const reading = readJson(body.bytes)
  if (!reading.ok) return bad(reading.code)
  const input = readInput(skill, reading.json)
  return input.ok ? { kind: 'value', value: input.value } : bad(input.code)
}

/**
 * What a body of length 0 is to somebody who did not come to probe: he pays, so he meant to send a value.
 */
export function emptyBodyFault(req: IncomingMessage): ErrorCode {
  if (isEncoded(req)) return 'unsupported_content_encoding'
  return isJsonMediaType(req.headers['content-type']) ? 'not_json' : 'unsupported_media_type'
}

function isEncoded(req: IncomingMessage): boolean {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}

function bad(code: ErrorCode): RequestReading {
  return { kind: 'bad', code }
}
