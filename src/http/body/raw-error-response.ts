/** Refusals of the connection itself, before any handler: whole HTTP answers in the form of every other error. */
import { STATUS_CODES } from 'node:http'
import { PROBLEM_TYPE } from './problem.ts'

export interface RawErrorResponse {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** `retrySeconds` for what may be tried again. The connection is closed after it. */
export function rawErrorResponse(status: number, detail: string, retrySeconds?: number): RawErrorResponse {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail })
  const headers = [
    ...['Content-Type', PROBLEM_TYPE],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store'],
    ...(retrySeconds === undefined ? [] : ['Retry-After', String(retrySeconds)]),
    ...['Connection', 'close'],
  ]
  return { status, headers, body }
}

/** The refusal as it goes over the wire. */
export function refusalText({ status, headers, body }: RawErrorResponse): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
