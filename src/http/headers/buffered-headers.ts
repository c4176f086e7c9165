/**
 * Headers kept back until the answer is written, so that all of them reach Node in one list.
 *
 * Node checks and files every header that is set by itself, and goes through all of them again when it writes; one
 * list is gone through once. A surface that writes by its own means has its headers set by `flushHeaders` before.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Middleware } from '../middleware.ts'

/** Names and values in turn. */
export type HeaderList = readonly string[]

const HELD = Symbol('held headers')

interface Holding {
  [HELD]?: string[] | undefined
}

/** From here on headers are held; mounted first. */
export const bufferHeaders: Middleware = (_req, res, next) => {
  const holding: ServerResponse & Holding = res
  holding[HELD] = []
  next()
}

/** Adds headers to the answer: held where headers are, set at once where they are not. */
export function addHeaders(res: ServerResponse, headers: HeaderList): void {
  const held = (res as ServerResponse & Holding)[HELD]
  if (held === undefined) setEach(res, headers)
  else for (const part of headers) held.push(part)
}

/** Sets what is held, for whoever writes the answer by other means than `sendBody`. */
export function flushHeaders(res: ServerResponse): void {
  setEach(res, takeHeaders(res))
}

/** What is held; nothing is any more. */
export function takeHeaders(res: ServerResponse): HeaderList {
  const holding: ServerResponse & Holding = res
  const held = holding[HELD] ?? []
  holding[HELD] = undefined
  return held
}

/** A list of what an object names; members without a value are left out. */
export function headerList(headers: OutgoingHttpHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}

function setEach(res: ServerResponse, headers: HeaderList): void {
  for (let at = 0; at + 1 < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!)
}
