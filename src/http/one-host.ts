import { rawErrorResponse } from './body/raw-error-response.ts'
import type { Handler } from './middleware.ts'

const SEVERAL_HOSTS = rawErrorResponse('request_malformed', {
  detail: 'The request has more than one Host header.',
})

/**
 * Wraps a listener: answers 400 to a request with several Host headers (RFC 9112, section 3.2) and closes the
 * connection. Node reads the first and drops the others, where a proxy may have read the last.
 */
export function requireOneHost(listener: Handler): Handler {
  return function withOneHost(req, res) {
    if (!hasSeveralHosts(req.rawHeaders)) return listener(req, res)
    res.writeHead(SEVERAL_HOSTS.status, [...SEVERAL_HOSTS.headers]).end(SEVERAL_HOSTS.body)
  }
}

/** Names and values alternate. */
function hasSeveralHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === 4 && headers[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
