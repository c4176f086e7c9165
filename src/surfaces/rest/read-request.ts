import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import { hasContentEncoding } from '../../http/body/has-content-encoding.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { readBody } from '../../http/body/read-body.ts'
import { readJson } from '../../http/body/read-json.ts'
import { hasQuery } from '../../http/request-target.ts'

/** Bytes of a body with one value; the longest value, with every character escaped, needs 6,156. */
export const BODY_LIMIT = 8192

export type RequestReading =
  | { readonly kind: 'input'; readonly input: unknown }
  /** A body of length 0 without a payment. Registries send one to see whether a route asks for payment. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'bad'; readonly code: ErrorCode }
  | { readonly kind: 'aborted' }

/** The order of the checks decides which of several faults is answered. With a payment, an empty body lacks its value. */
export async function readRequest(
  res: ServerResponse,
  bodyLimit: number,
  isPaid: boolean,
): Promise<RequestReading> {
  const { req } = res
  if (hasQuery(req)) return bad('query_not_allowed')
  const body = await readBody(res, bodyLimit)
  if (body.kind === 'aborted') return body
  if (!isPaid && body.kind === 'read' && body.bytes.length === 0) return { kind: 'probe' }
  if (hasContentEncoding(req)) return bad('unsupported_content_encoding')
  if (!isJsonMediaType(req.headers['content-type'])) return bad('unsupported_media_type')
  if (body.kind === 'too_large') return bad('body_too_large')
  const input = readJson(body.bytes)
  return input === undefined ? bad('not_json') : { kind: 'input', input }
}

const bad = (code: ErrorCode): RequestReading => ({ kind: 'bad', code })
