import type { Middleware } from '../middleware.ts'

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

const EXPOSED = EXPOSED_HEADERS.join(',')
const ONE_DAY = 86_400

/**
 * Lets any page in any browser call the service and read its responses; there are no cookies to protect.
 *
 * Mounted before everything that can refuse, so that a page can read its 402 and a preflight needs no payment. A page may
 * send any header, since each revision of MCP brings its own (`Mcp-Method`, `Mcp-Param-...`); what it asks for is not echoed.
 */
export const crossOrigin: Middleware = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', EXPOSED)
  if (req.method !== 'OPTIONS') return next()
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,OPTIONS',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': ONE_DAY,
  })
  res.end()
}
