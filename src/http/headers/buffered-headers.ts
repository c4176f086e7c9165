/**
 * Buffers headers until the response is written, so that Node gets all of them in one list: `setHeader` for each one
 * costs a check and a copy, and `writeHead` goes through them again.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Middleware } from '../middleware.ts'

/** Names and values, alternating. */
export type HeaderList = readonly string[]

const BUFFER = Symbol('buffered headers')

interface Buffering {
  [BUFFER]?: string[] | undefined
}

/** Starts buffering; mounted first. */
export const bufferHeaders: Middleware = (_req, res, next) => {
  const buffering: ServerResponse & Buffering = res
  buffering[BUFFER] = []
  next()
}

/** Adds headers to the buffer, or sets them at once if nothing is buffered. */
export function addHeaders(res: ServerResponse, headers: HeaderList): void {
  const buffer = (res as ServerResponse & Buffering)[BUFFER]
  if (buffer === undefined) setEach(res, headers)
  else for (const part of headers) buffer.push(part)
}

/** Flushes the buffered headers for handlers that do not use `sendBody`. */
export function flushHeaders(res: ServerResponse): void {
  setEach(res, takeHeaders(res))
}

export function takeHeaders(res: ServerResponse): HeaderList {
  const buffering: ServerResponse & Buffering = res
  const buffer = buffering[BUFFER] ?? []
  buffering[BUFFER] = undefined
  return buffer
}

/** Returns an object of headers as a list, without members that have no value. */
export function headerList(headers: OutgoingHttpHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}

function setEach(res: ServerResponse, headers: HeaderList): void {
  for (let at = 0; at + 1 < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!)
}
