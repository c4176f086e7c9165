import type { ServerResponse } from 'node:http'
import type { SendProblem } from './body/problem.ts'
import { requestIdOf } from './headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from './unexpected-error.ts'

export function handleError(
  { sendProblem, log }: { readonly sendProblem: SendProblem; readonly log: UnexpectedErrorLog },
  error: unknown,
  res: ServerResponse,
): void {
  log.error({ requestId: requestIdOf(res), ...unexpectedError(error) }, 'defect')
  if (res.headersSent) res.destroy()
  else sendProblem(res, 'internal_error')
}
