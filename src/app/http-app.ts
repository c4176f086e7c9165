import { type AccessEntry, accessLog } from '../http/access-log.ts'
import type { SendProblem } from '../http/body/problem.ts'
import { handleError } from '../http/error-handler.ts'
import { expressApp } from '../http/express-app.ts'
import { bufferHeaders, flushHeaders } from '../http/headers/buffered-headers.ts'
import { crossOrigin } from '../http/headers/cors.ts'
import { requestId } from '../http/headers/request-id.ts'
import { securityHeaders } from '../http/headers/security-headers.ts'
import { staticHeaders } from '../http/headers/static-headers.ts'
import type { Handler, Middleware } from '../http/middleware.ts'
import { notFound } from '../http/not-found.ts'
import { pathOf } from '../http/request-target.ts'
import type { Log } from '../log.ts'

export interface HttpAppOptions {
  readonly baseUrl: string
  readonly sandbox: boolean
  readonly log: Log
  readonly sendProblem: SendProblem
  readonly mcp: Handler
  /** Told of each answer as the access log is. */
  readonly onAnswer?: (entry: AccessEntry) => void
  /** The surfaces that write their answers in one go; asked before the others, which use other means as well. */
  readonly prepared: readonly Middleware[]
  /** The other surfaces, in the order they are asked. */
  readonly surfaces: readonly Middleware[]
}

/** Puts the surfaces behind what every answer shares: id, log, headers, CORS, a JSON 404 and a JSON 500. */
export function buildHttpApp(options: HttpAppOptions): Handler {
  const { baseUrl, sandbox, log, sendProblem, mcp, prepared, surfaces, onAnswer = () => {} } = options
  const always = [securityHeaders({ https: baseUrl.startsWith('https:') })]
  if (sandbox) always.push(sandboxHeader)
  const cors = crossOrigin()
  const readableAnywhere = staticHeaders([cors])
  return expressApp(
    [
      bufferHeaders,
      requestId(),
      accessLog({
        info: (entry, message) => {
          onAnswer(entry)
          log.info(entry, message)
        },
      }),
      staticHeaders(always),
      // MCP has origin rules of its own, so it stands before the ones for everything else.
      (req, res, next) => {
        if (pathOf(req) !== '/mcp') return next()
        flushHeaders(res)
        mcp(req, res)
      },
      (req, res, next) => {
        if (req.method !== 'OPTIONS') return readableAnywhere(req, res, next)
        flushHeaders(res)
        cors(req, res, next)
      },
      ...prepared,
      (_req, res, next) => {
        flushHeaders(res)
        next()
      },
      ...surfaces,
      notFound(sendProblem),
    ],
    (error, _req, res) => handleError({ sendProblem, log }, error, res),
  )
}

/** Says with every answer that no real money is involved. */
const sandboxHeader: Middleware = (_req, res, next) => {
  res.setHeader('X-Sandbox', 'true')
  next()
}
