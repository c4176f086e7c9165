/**
 * Security headers: two on every response, the rest on pages only. On JSON the rest would only take space, and nginx reads
 * heads of at most 4 kB (`test/surfaces/response-heads.test.ts`).
 */
import helmet from 'helmet'
import type { Middleware } from '../middleware.ts'

const ONE_YEAR = 31_536_000

/** `https`: whether the public address is https, which HSTS needs. */
export function securityHeaders({ https }: { readonly https: boolean }): Middleware {
  return function securityHeaders(_req, res, next) {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    if (https) res.setHeader('Strict-Transport-Security', `max-age=${ONE_YEAR}`)
    next()
  }
}

/** A page that loads files replaces `Content-Security-Policy`. */
export const pageHeaders = (): Middleware =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Set on every response already.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  })
