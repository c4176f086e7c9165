import type { ServerResponse } from 'node:http'
import { requestIdOf } from './headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from './unexpected-error.ts'

export function logDefect(log: UnexpectedErrorLog, res: ServerResponse, error: unknown): void {
  log.error({ requestId: requestIdOf(res), ...unexpectedError(error) }, 'defect')
}

export function errorHandler(log: UnexpectedErrorLog, res: ServerResponse, send: () => void) {
  return function handleError(error: unknown): void {
    logDefect(log, res, error)
    if (res.headersSent) res.destroy()
    else send()
  }
}
