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
 * Lets any page call the service and read its responses; there are no cookies to protect. Mounted before everything that can
 * refuse, so that a page can read its 402. Any header is allowed, since each revision of MCP brings its own.
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
