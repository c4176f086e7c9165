import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Middleware } from '../middleware.ts'
import { addHeaders, type HeaderList } from './buffered-headers.ts'

/**
 * Returns a middleware that copies the headers which the given ones set on a plain GET, recorded once at startup. Only
 * for middleware whose headers do not depend on the request; throws for one that answers.
 */
export function staticHeaders(sources: readonly Middleware[]): Middleware {
  const headers = sources.flatMap(recordHeaders)
  return function staticHeaders(_req, res, next) {
    addHeaders(res, headers)
    next()
  }
}

function recordHeaders(source: Middleware): HeaderList {
  const req = new IncomingMessage(new Socket())
  req.method = 'GET'
  req.url = '/'
  const res = new ServerResponse(req)
  const recorded: string[] = []
  res.setHeader = (name, value) => {
    for (const one of [value].flat()) recorded.push(name, String(one))
    return res
  }
  let isPassedOn = false
  source(req, res, () => {
    isPassedOn = true
  })
  if (!isPassedOn) throw new Error('a middleware of static headers must pass the request on at once')
  return recorded
}
