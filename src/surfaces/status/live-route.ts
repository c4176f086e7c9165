import type { ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'

export interface LiveRoute {
  readonly sendProblem: SendProblem
  readonly path: string
  readonly answer: (res: ServerResponse) => Promise<void>
}

/** Answers GET and HEAD of one path, whatever its query, with what is made for each request. */
export function liveRoute({ sendProblem, path, answer }: LiveRoute): Middleware {
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])
  return function liveRoute(req, res, next) {
    if (pathOf(req) !== path) return next()
    setAccessLogFields(res, { route: path, surface: 'ops' })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res)
    answer(res).catch(next)
  }
}
