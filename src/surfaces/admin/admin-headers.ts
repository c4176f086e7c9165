import { addHeaders, headerList } from '../../http/body/send.ts'
import { pageHeaders, securityHeaders } from '../../http/headers/security-headers.ts'
import type { Middleware } from '../../http/middleware.ts'

/** The headers of every answer of the admin port, refusals included: those of public pages, some of them stricter. */
export const adminHeaders = (): readonly Middleware[] => [
  pageHeaders(),
  function strictHeaders(_req, res, next) {
    addHeaders(res, ALWAYS)
    next()
  },
]

const STRICT = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

// There is no TLS on this port.
const ALWAYS = [...securityHeaders({ https: false }), ...headerList(STRICT)]
