import type { IncomingMessage } from 'node:http'

/** RFC 9110, section 8.4. No surface reads encoded bodies. */
export function hasContentEncoding({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}
