import { createHash } from 'node:crypto'
import { setAccessLogFields } from '../access-log-fields.ts'
import { methodNotAllowed } from '../method-not-allowed.ts'
import type { Handler } from '../middleware.ts'
import type { SendProblem } from './problem.ts'
import { preparedBody, sendBody } from './send.ts'

/** A document that does not change while the process runs. */
export interface StaticDocument {
  /** The path it is published at, for the access log. */
  readonly route: string
  readonly body: string | Buffer
  readonly contentType: string
  /** Seconds a cache may keep it; one hour by default. */
  readonly maxAge?: number
}

/** Answers GET and HEAD, and 304 to a matching `If-None-Match` (RFC 9110, 13.1.2). Ignores the query. */
export function staticDocument(sendProblem: SendProblem, document: StaticDocument): Handler {
  const { route } = document
  const body = preparedBody(document.body)
  const etag = `"${createHash('sha256').update(document.body).digest('base64url')}"`
  const caching = ['ETag', etag, 'Cache-Control', `public, max-age=${document.maxAge ?? 3600}`]
  const whole = [...caching, 'Content-Type', document.contentType]
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])

  return function staticDocument(req, res) {
    setAccessLogFields(res, { route })
    if (req.method !== 'GET' && req.method !== 'HEAD') refuse(req, res)
    else if (isMatch(req.headers['if-none-match'], etag)) sendBody(res, 304, caching)
    else sendBody(res, 200, whole, body)
  }
}

/** Compares weakly, as RFC 9110 requires for `If-None-Match`. */
function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
