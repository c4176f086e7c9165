import { addHeaders, type HeaderList, sendBody } from '../body/send.ts'
import type { Middleware } from '../middleware.ts'

const ONE_DAY = 86_400

const ANY_PAGE: HeaderList = ['Access-Control-Allow-Origin', '*']
const PREFLIGHT: HeaderList = [
  ...['Access-Control-Allow-Methods', 'GET,HEAD,POST,OPTIONS'],
  ...['Access-Control-Allow-Headers', '*'],
  ...['Access-Control-Max-Age', String(ONE_DAY)],
]

/**
 * There are no cookies to protect. `writeHead` names the headers that a page may read. Mounted before everything that
 * can refuse, so that a page can read its 402. Any header is allowed: each revision of MCP brings its own.
 */
export const crossOrigin: Middleware = (req, res, next) => {
  addHeaders(res, ANY_PAGE)
  if (req.method === 'OPTIONS') sendBody(res, 204, PREFLIGHT)
  else next()
}
