/**
 * Gives every answer an `X-Request-Id`.
 *
 * A client's own id is never taken over: it would be a way of writing the value into our logs.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Middleware } from '../middleware.ts'
import { addHeaders } from './buffered-headers.ts'

const HEADER = 'X-Request-Id'
const ID = Symbol('request id')

interface Identified {
  [ID]?: string
}

/** Sets a fresh id on each answer; `generate` is replaceable for tests. */
export function requestId(generate: () => string = randomUUID): Middleware {
  return function requestId(_req, res, next) {
    const identified: ServerResponse & Identified = res
    const id = generate()
    identified[ID] = id
    addHeaders(res, [HEADER, id])
    next()
  }
}

/** The id this answer carries; the empty string where the middleware did not run. */
export function requestIdOf(res: ServerResponse): string {
  return (res as ServerResponse & Identified)[ID] ?? ''
}
