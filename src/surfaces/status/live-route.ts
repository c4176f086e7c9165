import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { sendJson } from '../../http/body/send.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'

export interface LiveRoute {
  readonly sendProblem: SendProblem
  readonly path: string
  readonly read: () => Promise<{ readonly status?: number; readonly json: object }>
}

/** Answers GET and HEAD of one path, whatever its query, with JSON that is read for each request. */
export function liveRoute({ sendProblem, path, read }: LiveRoute): Middleware {
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])
  return function liveRoute(req, res, next) {
    if (pathOf(req) !== path) return next()
    setAccessLogFields(res, { route: path, surface: 'ops' })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res)
    read().then(({ status = 200, json }) => sendJson(res, json, { status }), next)
  }
}
