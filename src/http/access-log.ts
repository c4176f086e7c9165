/**
 * One log line per answer, written from a list of allowed fields.
 *
 * No URL, query, header or body is ever looked at: whatever a client puts there cannot be logged.
 */
import type { AccessLogFields } from './access-log-fields.ts'
import { accessLogFields } from './access-log-fields.ts'
import { requestIdOf } from './headers/request-id.ts'
import type { Middleware } from './middleware.ts'

export interface AccessEntry extends AccessLogFields {
  readonly requestId: string
  readonly method: string
  readonly status: number
  /** Whole milliseconds from the request's head to the end of the answer. */
  readonly ms: number
  /** Present when the client left before it had the whole answer. */
  readonly aborted?: true
}

export interface AccessLog {
  info(entry: AccessEntry, message: string): void
}

/** Methods by name; anything else is "other", so that not even a method is a client's own word. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Writes one entry when an answer is over; `now` is a monotonic clock in milliseconds. */
export function accessLog(log: AccessLog, now: () => number = () => performance.now()): Middleware {
  return function accessLog(req, res, next) {
    const begun = now()
    // Told of once by Node itself, so there is nothing to take off again.
    res.on('close', () => {
      const method = req.method ?? ''
      log.info(
        {
          requestId: requestIdOf(res),
          method: METHODS.has(method) ? method : 'other',
          ...accessLogFields(res),
          status: res.statusCode,
          ms: Math.round(now() - begun),
          ...(res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      )
    })
    next()
  }
}
