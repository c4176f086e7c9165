import type { Handler, Middleware } from '../../http/middleware.ts'

/** Makes the handler at the first request, once for all requests that wait for it: the service starts without the cost. */
export function whenAsked(make: () => Handler | Promise<Handler>): Middleware {
  let made: Promise<Handler> | undefined
  return function whenAsked(req, res, next) {
    made ??= Promise.resolve().then(make)
    made.then((handler) => handler(req, res)).catch(next)
  }
}
