/**
 * Browsers as clients: wallets, inspectors, pages of agents.
 *
 * What a page asks to send is allowed as asked, because each revision of MCP brings headers of its own
 * (`Mcp-Method`, `Mcp-Param-...`); there are no credentials to protect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const EXPOSED = 'MCP-Protocol-Version, Retry-After, X-Request-Id, X-Sandbox'
/** A list of header names (RFC 9110, 5.6.2), at a length no browser exceeds. */
const HEADER_NAMES = /^[!#$%&'*+.^_`|~\w, -]{1,1024}$/
const ONE_DAY = '86400'

/** Marks an answer as readable by any page that was allowed to cause it. */
export function allowOrigin(res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', EXPOSED)
}

/** Answers a preflight, before host and origin are judged: the request that follows is judged. */
export function answerPreflight(req: IncomingMessage, res: ServerResponse): void {
  allowOrigin(res)
  const asked = req.headers['access-control-request-headers']
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    ...(asked !== undefined && HEADER_NAMES.test(asked) && { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': ONE_DAY,
    Vary: 'Access-Control-Request-Headers',
  })
  res.end()
}
