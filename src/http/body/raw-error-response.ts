import { STATUS_CODES } from 'node:http'
import { consequencesOf, ERRORS, type ErrorCode } from '../../errors.ts'
import { PROBLEM_TYPE } from './problem.ts'
import type { HeaderList } from './send.ts'

/** Written to the socket before any handler runs. */
export interface RawErrorResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
}

/**
 * `detail` replaces that of the code. The public and the admin port share the response, so its `type` names no page of
 * either.
 */
export function rawErrorResponse(
  code: ErrorCode,
  { retrySeconds, detail = ERRORS[code].detail }: { retrySeconds?: number; detail?: string } = {},
): RawErrorResponse {
  const { status } = ERRORS[code]
  const title = STATUS_CODES[status]
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, ...consequencesOf(code) })
  const headers = [
    ...['Content-Type', PROBLEM_TYPE],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store'],
    ...(retrySeconds === undefined ? [] : ['Retry-After', String(retrySeconds)]),
    ...['Connection', 'close'],
  ]
  return { status, headers, body }
}

export function rawResponseText({ status, headers, body }: RawErrorResponse): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
