/** Runs middleware one after the other, on plain Node types. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler, Middleware } from './middleware.ts'

/** Answers what was thrown or passed on as an error. */
export type OnError = (error: unknown, req: IncomingMessage, res: ServerResponse) => void

/**
 * One handler out of middleware in order; the last has to answer. Paths are looked up by the surfaces themselves, byte
 * for byte, so nothing here decodes, folds or redirects an address.
 */
export function chain(links: readonly Middleware[], onError: OnError): Handler {
  return function run(req, res) {
    let asked = 0
    const next = (error?: unknown): void => {
      try {
        if (error !== undefined) throw error
        const link = links[asked++]
        if (link === undefined) throw new Error('no middleware answered')
        link(req, res, next)
      } catch (thrown) {
        onError(thrown, req, res)
      }
    }
    next()
  }
}
