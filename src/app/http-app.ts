import { type AccessEntry, accessLog } from '../http/access-log.ts'
import { chain } from '../http/chain.ts'
import { constantHeaders } from '../http/constant-headers.ts'
import { crossOrigin } from '../http/cors.ts'
import { answerDefect } from '../http/last-resort.ts'
import type { Handler, Middleware } from '../http/middleware.ts'
import { notFound } from '../http/not-found.ts'
import type { SendProblem } from '../http/problem.ts'
import { requestId } from '../http/request-id.ts'
import { pathOf } from '../http/request-target.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Log } from '../log.ts'

export interface HttpAppOptions {
  readonly baseUrl: string
  readonly sandbox: boolean
  readonly log: Log
  readonly sendProblem: SendProblem
  readonly mcp: Handler
  /** Told of each answer as the access log is. */
  readonly onAnswer?: (entry: AccessEntry) => void
  /** The surfaces, in the order they are asked. */
  readonly surfaces: readonly Middleware[]
}

/** Puts the surfaces behind what every answer shares: id, log, headers, CORS, a JSON 404 and a JSON 500. */
export function buildHttpApp(options: HttpAppOptions): Handler {
  const { baseUrl, sandbox, log, sendProblem, mcp, surfaces, onAnswer = () => {} } = options
  const always = [securityHeaders({ https: baseUrl.startsWith('https:') })]
  if (sandbox) always.push(sandboxHeader)
  const cors = crossOrigin()
  const readableAnywhere = constantHeaders([cors])
  return chain(
    [
      requestId(),
      accessLog({
        info: (entry, message) => {
          onAnswer(entry)
          log.info(entry, message)
        },
      }),
      constantHeaders(always),
      // MCP has origin rules of its own, so it stands before the ones for everything else.
      (req, res, next) => (pathOf(req) === '/mcp' ? mcp(req, res) : next()),
      (req, res, next) => (req.method === 'OPTIONS' ? cors : readableAnywhere)(req, res, next),
      ...surfaces,
      notFound(sendProblem),
    ],
    (error, _req, res) => answerDefect({ sendProblem, log }, error, res),
  )
}

/** Says with every answer that no real money is involved. */
const sandboxHeader: Middleware = (_req, res, next) => {
  res.setHeader('X-Sandbox', 'true')
  next()
}
