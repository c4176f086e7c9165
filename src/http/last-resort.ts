/** Answers what a handler let fall: JSON without a stack, and a log line without the error's message. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DefectLog, defectOf } from './defect.ts'
import type { SendProblem } from './problem.ts'
import { requestIdOf } from './request-id.ts'

export interface LastResortDeps {
  readonly sendProblem: SendProblem
  readonly log: DefectLog
}

/** Ends a response after a defect: 500 where nothing was sent yet, a closed connection otherwise. */
export function answerDefect(
  { sendProblem, log }: LastResortDeps,
  error: unknown,
  res: ServerResponse,
): void {
  log.error({ requestId: requestIdOf(res), ...defectOf(error) }, 'defect')
  if (res.headersSent) res.destroy()
  else sendProblem(res, 'internal_error')
}

/**
 * The error handler of an Express app; mounted after everything.
 *
 * The router's own complaints about an address it cannot decode come with a 4xx status: no such path, so 404.
 */
export function lastResort(deps: LastResortDeps) {
  return function lastResort(
    error: unknown,
    _req: IncomingMessage,
    res: ServerResponse,
    _next: (error?: unknown) => void,
  ): void {
    if (isClientFault(error) && !res.headersSent) deps.sendProblem(res, 'not_found')
    else answerDefect(deps, error, res)
  }
}

function isClientFault(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400
}
