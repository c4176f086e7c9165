import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setAccessLogFields } from '../access-log-fields.ts'
import { methodNotAllowed } from '../method-not-allowed.ts'
import type { Handler } from '../middleware.ts'
import type { SendProblem } from './problem.ts'
import { type HeaderList, preparedBody, sendBody } from './send.ts'

export interface StaticDocument {
  readonly route: string
  readonly body: string | Buffer
  readonly contentType: string
  readonly link?: string
  readonly headers?: HeaderList
  /** Seconds a cache may keep it; one hour by default. */
  readonly maxAge?: number
  readonly isPrivate?: boolean
  /** UTC milliseconds of the last change; the time the handler is built by default. */
  readonly modifiedAt?: number
}

/**
 * Answers GET and HEAD, and 304 to a matching `If-None-Match` or, without one, to an `If-Modified-Since` (RFC 9110, 13.1.2
 * and 13.1.3).
 */
export function staticDocument(sendProblem: SendProblem, document: StaticDocument): Handler {
  const { route } = document
  const body = preparedBody(document.body)
  const etag = `"${createHash('sha256').update(document.body).digest('base64url')}"`
  const modified = new Date(document.modifiedAt ?? Date.now()).toUTCString()
  const caching = [
    ...(document.headers ?? []),
    ...['ETag', etag],
    ...['Last-Modified', modified],
    ...['Cache-Control', `${document.isPrivate ? 'private' : 'public'}, max-age=${document.maxAge ?? 3600}`],
  ]
  const link = document.link === undefined ? [] : ['Link', document.link]
  const whole = [...caching, ...link, 'Content-Type', document.contentType]
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])

  return function staticDocument(req, res) {
    setAccessLogFields(res, { route })
    if (req.method !== 'GET' && req.method !== 'HEAD') refuse(req, res)
    else if (isUnchanged(req.headers, etag, modified)) sendBody(res, 304, caching)
    else sendBody(res, 200, whole, body)
  }
}

function isUnchanged(headers: IncomingHttpHeaders, etag: string, modified: string): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  // Compared weakly, as RFC 9110 requires for `If-None-Match`.
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  return since !== undefined && Date.parse(modified) <= Date.parse(since)
}
