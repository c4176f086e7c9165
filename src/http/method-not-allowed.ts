import type { SendProblem } from './body/problem.ts'
import type { Handler } from './middleware.ts'

/** `Allow` always names OPTIONS because every path answers a preflight. */
export function methodNotAllowed(sendProblem: SendProblem, methods: readonly string[]): Handler {
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') }
  return function methodNotAllowed(_req, res) {
    sendProblem(res, 'method_not_allowed', { headers })
  }
}
