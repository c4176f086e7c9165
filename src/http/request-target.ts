/**
 * The request target, compared byte for byte.
 *
 * Nothing is decoded or folded, so no second spelling can reach a paid path. One exception: a single trailing slash is
 * the path itself, because some clients add one and a redirect would lose a paid body.
 */
import type { IncomingMessage } from 'node:http'

/**
 * Returns the path as sent, without the query and without one trailing slash. For an absolute-form target (RFC 9112,
 * 3.2.2) returns the path in it.
 */
export function pathOf(req: IncomingMessage): string {
  const target = req.url ?? ''
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  const absolute = path.startsWith('/') ? path : (/^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? '')
  const hasOneSlash = absolute.length > 1 && absolute.endsWith('/') && !absolute.endsWith('//')
  return hasOneSlash ? absolute.slice(0, -1) : absolute
}

/** Returns true if the target has a query string, even an empty one. */
export function hasQuery(req: IncomingMessage): boolean {
  return req.url?.includes('?') ?? false
}
