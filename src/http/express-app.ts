import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import type { Handler, Middleware } from './middleware.ts'

/**
 * Has no routes: the surfaces compare paths byte for byte (`request-target.ts`), and a router would give a paid path a
 * second spelling.
 */
export function expressApp(
  middleware: readonly Middleware[],
  onError: (error: unknown, req: IncomingMessage, res: ServerResponse) => void,
): Handler {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(...middleware, () => {
    throw new Error('no middleware answered')
  })
  const answerError: ErrorRequestHandler = (error, req, res, _next) => onError(error, req, res)
  app.use(answerError)
  return app as unknown as Handler
}
