import type { IncomingMessage } from 'node:http'

/** Returns true if the body is compressed or encoded in another way, which no surface reads (RFC 9110, section 8.4). */
export function hasContentEncoding({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}
