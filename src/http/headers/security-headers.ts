/**
 * Headers that keep a browser from doing anything with our answers but read them.
 *
 * The policy forbids every kind of content; a page that shows something replaces `Content-Security-Policy` on
 * its own answer.
 */
import helmet from 'helmet'
import type { Middleware } from '../middleware.ts'

export interface SecurityHeadersOptions {
  /** True when the public address is https: only then may a browser be told never to use http again. */
  readonly https: boolean
}

const ONE_YEAR = 31_536_000

/** Sets the headers before anything else is written. */
export function securityHeaders({ https }: SecurityHeadersOptions): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Documents and results are public and meant for pages of any origin.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: https ? { maxAge: ONE_YEAR, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
}
