import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import type { Handler, Middleware } from './middleware.ts'

export type OnError = (error: unknown, req: IncomingMessage, res: ServerResponse) => void

/**
 * Builds the Express application: runs the middleware in order and sends errors to `onError`.
 *
 * The surfaces compare paths byte for byte (`request-target.ts`) instead of using Express routes, because a router
 * that decodes or folds a path would give a paid path a second spelling. Express's own error page is never reached.
 */
export function expressApp(middleware: readonly Middleware[], onError: OnError): Handler {
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
