/**
 * Nothing of the target is decoded or folded, so that no second spelling can reach a paid path. One trailing slash is
 * removed, because some clients add one and a redirect would lose a paid body.
 */
import type { IncomingMessage } from 'node:http'

/** Takes an absolute-form target too (RFC 9112, 3.2.2). */
export function pathOf(req: IncomingMessage): string {
  const target = req.url ?? ''
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  const absolute = path.startsWith('/') ? path : (/^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? '')
  const hasOneSlash = absolute.length > 1 && absolute.endsWith('/') && !absolute.endsWith('//')
  return hasOneSlash ? absolute.slice(0, -1) : absolute
}

/** Also true for an empty query. */
export function hasQuery(req: IncomingMessage): boolean {
  return req.url?.includes('?') ?? false
}
