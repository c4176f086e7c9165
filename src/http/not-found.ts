/** The end of the line: whatever no route has answered is 404, in JSON. */

import type { SendProblem } from './body/problem.ts'
import type { Middleware } from './middleware.ts'

/** Mounted last. */
export function notFound(sendProblem: SendProblem): Middleware {
  return function notFound(_req, res) {
    sendProblem(res, 'not_found')
  }
}
