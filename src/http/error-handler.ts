import type { ServerResponse } from 'node:http'
import { requestIdOf } from './headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from './unexpected-error.ts'

/** Logs an error of a request that nothing expected. */
export function logDefect(log: UnexpectedErrorLog, res: ServerResponse, error: unknown): void {
  log.error({ requestId: requestIdOf(res), ...unexpectedError(error) }, 'defect')
}

/** Handles such an error: `send` answers the request, unless another answer has begun. */
export function errorHandler(log: UnexpectedErrorLog, res: ServerResponse, send: () => void) {
  return function handleError(error: unknown): void {
    logDefect(log, res, error)
    if (res.headersSent) res.destroy()
    else send()
  }
}
