import type { IncomingMessage } from 'node:http'
import { type RawErrorResponse, rawErrorResponse } from './body/raw-error-response.ts'
import { writeHead } from './body/send.ts'
import type { Handler } from './middleware.ts'
import type { RequestLines } from './request-line.ts'

const SEVERAL_HOSTS = rawErrorResponse('request_malformed', {
  detail: 'The request has more than one Host header.',
})
const NO_COMMON_FORM = rawErrorResponse('request_malformed', {
  detail:
    'The request has a form of HTTP that parties read differently. Send HTTP/1.1, or HTTP/1.0 without Transfer-Encoding.',
})
const NO_HOST = rawErrorResponse('request_malformed', { detail: 'The Host header does not name a host.' })

/** A name, an address or an IPv6 literal, and a port; or empty (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/**
 * Wraps a listener: answers 400 to a request with several Host headers or one that cannot be a host (RFC 9112, section
 * 3.2) and closes the connection. Node reads the first and drops the others, where a proxy may have read the last. The same
 * for other versions of HTTP, and for codings of a body but `chunked` alone (RFC 9112, section 6.1).
 */
export function requireOneHost(listener: Handler, isOdd: RequestLines['isOdd']): Handler {
  return function withOneHost(req, res) {
    const refusal = isOdd(req) ? NO_COMMON_FORM : refusalOf(req)
    if (refusal === null) return listener(req, res)
    writeHead(res, refusal.status, refusal.headers).end(refusal.body)
  }
}

function refusalOf(req: IncomingMessage): RawErrorResponse | null {
  const { rawHeaders, headers } = req
  if (!hasCommonForm(req)) return NO_COMMON_FORM
  if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS
  return HOST.test(headers.host ?? '') ? null : NO_HOST
}

function hasCommonForm({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  const isCommon = httpVersion === '1.1' ? coding === undefined || CHUNKED.test(coding) : coding === undefined
  return (
    (httpVersion === '1.1' || httpVersion === '1.0') &&
    isCommon &&
    !/chunked/i.test(headers.te?.toString() ?? '')
  )
}

const CHUNKED = /^chunked$/i

/** Names and values alternate. */
function hasSeveralHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === 4 && headers[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
