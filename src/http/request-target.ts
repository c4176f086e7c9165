/**
 * The request target, compared byte for byte.
 *
 * Nothing is decoded, folded or cleaned up: an address that is not spelt as published is another address, so no
 * second spelling can reach a paid path by a side door.
 */
import type { IncomingMessage } from 'node:http'

/** The path as sent, without the query; of an absolute-form target (RFC 9112, 3.2.2) the path in it. */
export function pathOf(req: IncomingMessage): string {
  const target = req.url ?? ''
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  if (path.startsWith('/')) return path
  return /^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? ''
}

/** True when there is a query string, also an empty one. */
export function hasQuery(req: IncomingMessage): boolean {
  return req.url?.includes('?') ?? false
}
