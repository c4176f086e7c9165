/**
 * Two on every response, the rest on pages only: nginx reads heads of at most 4 kB
 * (`test/surfaces/response-heads.test.ts`).
 */
import helmet from 'helmet'
import type { HeaderList } from '../body/send.ts'
import type { Middleware } from '../middleware.ts'

const ONE_YEAR = 31_536_000

/** HSTS needs https. */
export const securityHeaders = ({ https }: { readonly https: boolean }): HeaderList => [
  ...['X-Content-Type-Options', 'nosniff'],
  ...(https ? ['Strict-Transport-Security', `max-age=${ONE_YEAR}`] : []),
]

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
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  })
