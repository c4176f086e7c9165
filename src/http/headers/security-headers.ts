/**
 * Security headers: two on every answer, the rest on pages only.
 *
 * A policy, frame and opener rules protect what a browser renders; on JSON they are only bytes, and the head of a 402
 * must fit into the 4 kB that nginx reads (`test/surfaces/response-heads.test.ts`).
 */
import helmet from 'helmet'
import type { Middleware } from '../middleware.ts'
import { staticHeaders } from './static-headers.ts'

export interface SecurityHeadersOptions {
  /** True when the public address is https: only then may a browser be told never to use http again. */
  readonly https: boolean
}

const ONE_YEAR = 31_536_000

/** Sets what every answer carries: no content sniffing, and HSTS. */
export function securityHeaders({ https }: SecurityHeadersOptions): Middleware {
  return function securityHeaders(_req, res, next) {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    if (https) res.setHeader('Strict-Transport-Security', `max-age=${ONE_YEAR}`)
    next()
  }
}

/** Sets what only a rendered page needs; a page that loads files replaces `Content-Security-Policy` on its own answer. */
export function pageHeaders(): Middleware {
  return staticHeaders([
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
      // On every answer already.
      strictTransportSecurity: false,
      xContentTypeOptions: false,
    }),
  ])
}
