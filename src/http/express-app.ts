import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type RequestHandler } from 'express'
import type { Handler, Middleware } from './middleware.ts'

/**
 * Has no routes: the surfaces compare paths byte for byte (`request-target.ts`), and a router would give a paid path a
 * second spelling. A request that no middleware answered is an error.
 */
export function expressApp(
  middleware: readonly Middleware[],
  onError: (error: unknown, req: IncomingMessage, res: ServerResponse) => void,
): Handler {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(...middleware)
  const run = app as unknown as (
    ...args: [IncomingMessage, ServerResponse, Parameters<RequestHandler>[2]]
  ) => void
  return (req, res) =>
    run(req, res, (error?: unknown) => onError(error ?? new Error('no middleware answered'), req, res))
}
