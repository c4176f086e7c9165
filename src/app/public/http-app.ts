import { type AccessEntry, accessLog } from '../../http/access-log.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { type HeaderList, withHeaders } from '../../http/body/send.ts'
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

/** On every answer; the mark says that no real money is involved. */
export const constantHeaders = ({
  baseUrl,
  sandbox,
}: Pick<HttpAppOptions, 'baseUrl' | 'sandbox'>): HeaderList => [
  ...securityHeaders({ https: baseUrl.startsWith('https:') }),
  ...(sandbox ? ['X-Sandbox', 'true'] : []),
]

export function buildHttpApp(options: HttpAppOptions): Handler {
  const { log, sendProblem, surfaces, onAnswer } = options
  return expressApp(
    [
      requestId(),
      accessLog((entry) => {
        onAnswer?.(entry)
        log.info(entry, 'request')
      }),
      withHeaders(constantHeaders(options)),
      crossOrigin,
      ...surfaces,
      (_req, res) => sendProblem(res, 'not_found'),
    ],
    (error, _req, res) => errorHandler(log, res, () => sendProblem(res, 'internal_error'))(error),
  )
}
