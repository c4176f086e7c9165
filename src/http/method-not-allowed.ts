/** Refuses the methods a path does not answer, and says which it does. */

import type { SendProblem } from './body/problem.ts'
import type { Handler } from './middleware.ts'

/** Answers 405 with `Allow`; OPTIONS is always among the methods, since every path answers a preflight. */
export function methodNotAllowed(sendProblem: SendProblem, methods: readonly string[]): Handler {
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') }
  return function methodNotAllowed(_req, res) {
    sendProblem(res, 'method_not_allowed', { headers })
  }
}
