/** Reads no URL, query, header or body, so nothing that a client puts there can be logged. */
import type { AccessLogFields } from './access-log-fields.ts'
import { accessLogFields } from './access-log-fields.ts'
import { requestIdOf } from './headers/request-id.ts'
import type { Middleware } from './middleware.ts'

export interface AccessEntry extends AccessLogFields {
  readonly requestId: string
  readonly method: string
  readonly status: number
  /** Whole milliseconds from the request's head to the end of the response. */
  readonly ms: number
  readonly aborted?: true
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function accessLog(onAnswer: (entry: AccessEntry) => void): Middleware {
  return function accessLog(req, res, next) {
    const begun = performance.now()
    const { method = '' } = req
    res.on('close', () => {
      onAnswer({
        requestId: requestIdOf(res),
        // An unknown method may be client input.
        method: METHODS.has(method) ? method : 'other',
        ...accessLogFields(res),
        status: res.statusCode,
        ms: Math.round(performance.now() - begun),
        ...(res.writableFinished ? {} : { aborted: true }),
      })
    })
    next()
  }
}
