import { headerList, withHeaders } from '../../http/body/send.ts'
import { pageHeaders, securityHeaders } from '../../http/headers/security-headers.ts'
import type { Middleware } from '../../http/middleware.ts'

/** The headers of every answer of the admin port, refusals included: those of public pages, some of them stricter. */
export const adminHeaders = (): readonly Middleware[] => [
  pageHeaders(),
  // There is no TLS on this port.
  withHeaders([...securityHeaders({ https: false }), ...headerList(STRICT)]),
]

const STRICT = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}
