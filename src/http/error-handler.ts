/** Answers what a handler let fall: JSON without a stack, and a log line without the error's message. */
import type { ServerResponse } from 'node:http'
import type { SendProblem } from './body/problem.ts'
import { requestIdOf } from './headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from './unexpected-error.ts'

export interface ErrorHandlerDeps {
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

/** Ends a response after a defect: 500 where nothing was sent yet, a closed connection otherwise. */
export function handleError(
  { sendProblem, log }: ErrorHandlerDeps,
  error: unknown,
  res: ServerResponse,
): void {
  log.error({ requestId: requestIdOf(res), ...unexpectedError(error) }, 'defect')
  if (res.headersSent) res.destroy()
  else sendProblem(res, 'internal_error')
}
