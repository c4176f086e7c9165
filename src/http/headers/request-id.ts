/** A client's own id is never used: it would be a way to write the value into our logs. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { v4 as newId } from 'uuid'
import { addHeaders } from '../body/send.ts'
import type { Middleware } from '../middleware.ts'

const ID = Symbol('request id')
const current = new AsyncLocalStorage<string>()

type WithId = ServerResponse & { [ID]?: string }

/** Tests replace `generate`. */
export function requestId(generate: () => string = newId): Middleware {
  return function requestId(_req, res: WithId, next) {
    const id = generate()
    res[ID] = id
    addHeaders(res, ['X-Request-Id', id])
    current.run(id, next)
  }
}

/** Undefined in loops and at startup. */
export const currentRequestId = (): string | undefined => current.getStore()

export const requestIdOf = (res: WithId): string => res[ID] ?? ''
