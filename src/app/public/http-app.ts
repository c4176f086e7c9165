import { type AccessEntry, accessLog } from '../../http/access-log.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { withHeaders } from '../../http/body/send.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { expressApp } from '../../http/express-app.ts'
import { crossOrigin } from '../../http/headers/cors.ts'
import { requestId } from '../../http/headers/request-id.ts'
import { securityHeaders } from '../../http/headers/security-headers.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import type { Log } from '../../log.ts'

export interface HttpAppOptions {
  readonly baseUrl: string
  readonly sandbox: boolean
  readonly log: Log
  readonly sendProblem: SendProblem
  readonly onAnswer?: (entry: AccessEntry) => void
  readonly surfaces: readonly Middleware[]
}

export function buildHttpApp(options: HttpAppOptions): Handler {
  const { baseUrl, sandbox, log, sendProblem, surfaces, onAnswer } = options
  /** The mark says that no real money is involved. */
  const mark = sandbox ? ['X-Sandbox', 'true'] : []
  const always = [...securityHeaders({ https: baseUrl.startsWith('https:') }), ...mark]
  return expressApp(
    [
      requestId(),
      accessLog((entry) => {
        onAnswer?.(entry)
        log.info(entry, 'request')
      }),
      withHeaders(always),
      crossOrigin,
      ...surfaces,
      (_req, res) => sendProblem(res, 'not_found'),
    ],
    (error, _req, res) => errorHandler(log, res, () => sendProblem(res, 'internal_error'))(error),
  )
}
