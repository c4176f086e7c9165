import cors from 'cors'
import type { Middleware } from '../middleware.ts'
import { CHANNELS_HEADER } from './channels-header.ts'

/** Request headers a page may send. `Access-Control-Expose-Headers` is one: `@x402/fetch` sends it. */
export const ALLOWED_HEADERS = [
  'Content-Type',
  'Accept',
  'If-None-Match',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  CHANNELS_HEADER,
  'Access-Control-Expose-Headers',
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
] as const

/** Response headers a page may read. */
export const EXPOSED_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'Retry-After',
  'X-Request-Id',
  'Payment-Replayed',
  'X-Ruleset-Changed',
  'X-Sandbox',
  'Link',
  'ETag',
  'A2A-Extensions',
] as const

const ONE_DAY = 86_400

/**
 * Lets any page in any browser call the service and read its responses; there are no cookies to protect.
 *
 * Mounted before everything that can refuse, so that a page can read its 402 and a preflight needs no payment. The
 * package's own answer to a preflight would be a 204 with a Content-Length, which RFC 9110 forbids (section 8.6).
 */
export function crossOrigin(): Middleware {
  const share: Middleware = cors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    allowedHeaders: [...ALLOWED_HEADERS],
    exposedHeaders: [...EXPOSED_HEADERS],
    maxAge: ONE_DAY,
    preflightContinue: true,
  })
  return function crossOrigin(req, res, next) {
    share(req, res, (error) => {
      if (error !== undefined || req.method !== 'OPTIONS') return next(error)
      res.writeHead(204).end()
    })
  }
}
