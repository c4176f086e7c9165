import type { OutgoingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../errors.ts'

/** What a 415 names as readable (RFC 9110, 12.5.3 and 15.5.16): the media type, or the encodings, never both. */
const ACCEPTED: Partial<Readonly<Record<ErrorCode, OutgoingHttpHeaders>>> = {
  unsupported_media_type: { Accept: 'application/json' },
  unsupported_content_encoding: { 'Accept-Encoding': 'identity' },
}

export const acceptedHeaders = (code: ErrorCode): OutgoingHttpHeaders => ACCEPTED[code] ?? {}
