import express, { type Express } from 'express'
import { accessLog } from '../http/access-log.ts'
import { crossOrigin } from '../http/cors.ts'
import { lastResort } from '../http/last-resort.ts'
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
  /** The surfaces, in the order they are asked. */
  readonly surfaces: readonly Middleware[]
}

/** Puts the surfaces behind what every answer shares: id, log, headers, CORS, a JSON 404 and a JSON 500. */
export function buildHttpApp(options: HttpAppOptions): Express {
  const { baseUrl, sandbox, log, sendProblem, mcp, surfaces } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(requestId(), accessLog(log), securityHeaders({ https: baseUrl.startsWith('https:') }))
  if (sandbox) app.use(sandboxHeader)
  // MCP has origin rules of its own, so it stands before the ones for everything else.
  app.use((req, res, next) => (pathOf(req) === '/mcp' ? mcp(req, res) : next()))
  app.use(crossOrigin())
  for (const surface of surfaces) app.use(surface)
  app.use(notFound(sendProblem))
  app.use(lastResort({ sendProblem, log }))
  return app
}

/** Says with every answer that no real money is involved. */
const sandboxHeader: Middleware = (_req, res, next) => {
  res.setHeader('X-Sandbox', 'true')
  next()
}
