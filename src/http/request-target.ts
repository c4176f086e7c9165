/**
 * Nothing is decoded or folded, so that no second spelling reaches a paid path. One trailing slash is removed: some
 * clients add it, and a redirect would lose a paid body.
 */
import type { IncomingMessage } from 'node:http'

/** Scheme and authority in front of a path or its end. */
const ORIGIN = /^https?:\/\/[^/?#\\]+(?=[/?#]|$)/i

/**
 * What looks like a host, with a fragment or a blank: Express hands a target with these to `url.parse`, which takes the
 * beginning for a host and throws if it cannot be one.
 */
const HOST_AND_FRAGMENT = /^\/[/\\].*[#\s\ufeff]/

/**
 * Takes scheme and authority from a target in absolute form (RFC 9112, 3.2.2); null if it is no such target. Express runs
 * no middleware for a target that it cannot parse.
 */
export function originForm(target: string): string | null {
  const form = withoutOrigin(target)
  return form === null || HOST_AND_FRAGMENT.test(form) ? null : form
}

function withoutOrigin(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target
  const path = target.replace(ORIGIN, '')
  if (path === target || !URL.canParse(target)) return null
  return path.startsWith('/') ? path : `/${path}`
}

export function pathOf(req: IncomingMessage): string {
  const target = req.url ?? ''
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  const hasOneSlash = path.length > 1 && path.endsWith('/') && !path.endsWith('//')
  return hasOneSlash ? path.slice(0, -1) : path
}

/** Also true for an empty query. */
export function hasQuery(req: IncomingMessage): boolean {
  return req.url?.includes('?') ?? false
}
