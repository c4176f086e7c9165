import { addHeaders, type HeaderList, sendBody } from '../body/send.ts'
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

const ONE_DAY = 86_400

const ANY_PAGE: HeaderList = [
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')],
]
const PREFLIGHT: HeaderList = [
  ...['Access-Control-Allow-Methods', 'GET,HEAD,POST,OPTIONS'],
  ...['Access-Control-Allow-Headers', '*'],
  ...['Access-Control-Max-Age', String(ONE_DAY)],
]

/**
 * Lets any page call the service and read its responses; there are no cookies to protect. Mounted before everything that can
 * refuse, so that a page can read its 402. Any header is allowed, since each revision of MCP brings its own.
 */
export const crossOrigin: Middleware = (req, res, next) => {
  addHeaders(res, ANY_PAGE)
  if (req.method === 'OPTIONS') sendBody(res, 204, PREFLIGHT)
  else next()
}
