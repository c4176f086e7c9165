import type { OutgoingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../errors.ts'

/** What a 415 says it would have read (RFC 9110, 12.5.3 and 15.5.16): the media type, or the encodings, never both. */
const ACCEPTED: Partial<Readonly<Record<ErrorCode, OutgoingHttpHeaders>>> = {
  unsupported_media_type: { Accept: 'application/json' },
  unsupported_content_encoding: { 'Accept-Encoding': 'identity' },
}

/** The headers that say what would have been read in place of what a code refuses; none for most codes. */
export const acceptedHeaders = (code: ErrorCode): OutgoingHttpHeaders => ACCEPTED[code] ?? {}
