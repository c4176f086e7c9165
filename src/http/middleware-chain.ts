import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler, Middleware } from './middleware.ts'

/**
 * Asks one middleware after the other until one answers. There is no router: the surfaces compare paths byte for byte
 * (`request-target.ts`), and a router would give a paid path a second spelling.
 */
export function middlewareChain(
  middleware: readonly Middleware[],
  onError: (error: unknown, req: IncomingMessage, res: ServerResponse) => void,
): Handler {
  const runFrom = (at: number, req: IncomingMessage, res: ServerResponse): void => {
    const next = (error?: unknown) => {
      if (error === undefined) runFrom(at + 1, req, res)
      else onError(error, req, res)
    }
    try {
      const ask = middleware[at]
      if (ask === undefined) throw new Error('no middleware answered')
      ask(req, res, next)
    } catch (error) {
      onError(error, req, res)
    }
  }
  return (req, res) => runFrom(0, req, res)
}
