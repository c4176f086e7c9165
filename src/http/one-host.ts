import type { IncomingMessage } from 'node:http'
import { type RawErrorResponse, rawErrorResponse } from './body/raw-error-response.ts'
import { writeHead } from './body/send.ts'
import type { Handler } from './middleware.ts'
import type { RequestLines } from './request-line.ts'
import { originForm } from './request-target.ts'

const SEVERAL_HOSTS = rawErrorResponse('request_malformed', {
  detail: 'The request has more than one Host header.',
})
const NO_COMMON_FORM = rawErrorResponse('request_malformed', {
  detail:
    'The request has a form of HTTP that parties read differently. Send HTTP/1.1, or HTTP/1.0 without Transfer-Encoding.',
})
const NO_HOST = rawErrorResponse('request_malformed', { detail: 'The Host header does not name a host.' })
const NO_TARGET = rawErrorResponse('request_malformed', {
  detail: 'The request target is neither a path nor an http or https URL.',
})

/** A name, an address or an IPv6 literal, and a port; or empty (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/**
 * Answers 400 and closes the connection for several Host headers or one that cannot be a host (RFC 9112, section 3.2):
 * Node reads the first, where a proxy may have read the last. The same for other versions of HTTP, codings of a body
 * but `chunked` (section 6.1), and a target that is not a URL. Other targets reach the listener in origin form.
 */
export function requireOneHost(listener: Handler, isOdd: RequestLines['isOdd']): Handler {
  return function withOneHost(req, res) {
    const target = originForm(req.url ?? '')
    const refusal = isOdd(req) ? NO_COMMON_FORM : (refusalOf(req) ?? (target === null ? NO_TARGET : null))
    if (refusal === null) return listener(Object.assign(req, { url: target }), res)
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

function hasSeveralHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === 4 && headers[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
