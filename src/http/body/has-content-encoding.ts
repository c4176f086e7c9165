import type { IncomingMessage } from 'node:http'

/** Whether the body is compressed or encoded in another way (RFC 9110, section 8.4), which no surface reads. */
export function hasContentEncoding({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}
