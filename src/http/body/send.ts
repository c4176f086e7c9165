import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { EXPOSED_HEADERS, LIST_HEADERS } from '../headers/response-headers.ts'
import type { Middleware } from '../middleware.ts'

/** Names and values, alternating. */
export type HeaderList = readonly string[]

export function headerList(headers: OutgoingHttpHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}

export interface PreparedBody {
  readonly content: string | Buffer
  /** In bytes. */
  readonly length: number
}

/** Longer texts are kept as bytes, which Node does not copy when it writes them. */
const LONGEST_TEXT = 8_192
const ASCII = /^[\0-\x7f]*$/

/** Short ASCII stays text, because Node writes head and text in one piece. */
export function preparedBody(content: string | Buffer): PreparedBody {
  if (content.length <= LONGEST_TEXT) {
    const text = typeof content === 'string' ? content : content.toString('latin1')
    if (ASCII.test(text)) return { content: text, length: text.length }
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { content: bytes, length: bytes.length }
}

const ADDED = Symbol('headers')

type WithHeaders = ServerResponse & { [ADDED]?: HeaderList }

/** Adds headers to an answer that has not begun. Node writes one list in half the time of headers that are set one by one. */
export function addHeaders(res: WithHeaders, headers: HeaderList): void {
  res[ADDED] = res[ADDED] === undefined ? headers : [...res[ADDED], ...headers]
}

export const withHeaders =
  (headers: HeaderList): Middleware =>
  (_req, res, next) => {
    addHeaders(res, headers)
    next()
  }

export function dropHeader(res: WithHeaders, name: string): void {
  res[ADDED] = (res[ADDED] ?? []).filter((_, at, all) => all[at - (at % 2)] !== name)
}

/** Throws if a header that is no list is given twice. */
export function writeHead(res: WithHeaders, status: number, headers: HeaderList): ServerResponse {
  return res.writeHead(status, oneOfEach([...(res[ADDED] ?? []), ...headers]))
}

/** A list is one line, since some caches heed only one of two `Vary`. Names for pages of other origins what they may read. */
function oneOfEach(headers: HeaderList): string[] {
  const values = new Map<string, string>()
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string
    const value = headers[at + 1] as string
    const earlier = values.get(name)
    if (earlier !== undefined && !LIST_HEADERS.has(name)) throw new Error(`the header ${name} is given twice`)
    values.set(name, earlier === undefined || earlier === value ? value : `${earlier}, ${value}`)
  }
  if (values.has('Access-Control-Allow-Origin')) {
    const exposed = [...values.keys()].filter((name) => EXPOSED_HEADERS.has(name))
    values.set('Access-Control-Expose-Headers', exposed.join(','))
  }
  return [...values].flat()
}

/** `headers` must name the content type. */
export function sendBody(
  res: ServerResponse,
  status: number,
  headers: HeaderList,
  body?: PreparedBody,
): void {
  if (body === undefined) writeHead(res, status, headers).end()
  else writeHead(res, status, [...headers, 'Content-Length', String(body.length)]).end(body.content, 'latin1')
}

export const sendText = (res: ServerResponse, status: number, text: string): void =>
  sendBody(res, status, TEXT_HEADERS, preparedBody(text))

const TEXT_HEADERS: HeaderList = ['Content-Type', 'text/plain; charset=utf-8']

export const sendJson = (
  res: ServerResponse,
  json: unknown,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: OutgoingHttpHeaders } = {},
): void =>
  sendBody(res, status, headerList({ ...JSON_HEADERS, ...headers }), preparedBody(JSON.stringify(json)))

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/** Once the operating system has the whole response; never if the connection is closed by then. */
export function whenDelivered(res: ServerResponse, act: () => void): void {
  // A response has no socket while an earlier response of its connection is open.
  const { socket } = res.req
  res.once('finish', () => {
    // Node also emits "finish" if the connection was closed before the last bytes could leave.
    if (!socket.destroyed) act()
  })
}
