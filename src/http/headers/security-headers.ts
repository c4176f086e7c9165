/**
 * Security headers: two on every response, the rest on pages only. Policies for frames and openers protect what a
 * browser renders; on JSON they only take space, and nginx reads heads of at most 4 kB
 * (`test/surfaces/response-heads.test.ts`).
 */
import helmet from 'helmet'
import type { Middleware } from '../middleware.ts'

export interface SecurityHeadersOptions {
  /** True if the public address is https; only then is HSTS sent. */
  readonly https: boolean
}

const ONE_YEAR = 31_536_000

/** Sets the headers of every response: no content sniffing, and HSTS. */
export function securityHeaders({ https }: SecurityHeadersOptions): Middleware {
  return function securityHeaders(_req, res, next) {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    if (https) res.setHeader('Strict-Transport-Security', `max-age=${ONE_YEAR}`)
    next()
  }
}

/** Sets the headers of rendered pages; a page that loads files replaces `Content-Security-Policy`. */
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
