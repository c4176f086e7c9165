/** Writes an answer in one go: status, every header, body. */
import type { ServerResponse } from 'node:http'
import { type HeaderList, takeHeaders } from '../headers/buffered-headers.ts'

/** A body ready to be written, with its length in bytes. */
export interface PreparedBody {
  readonly content: string | Buffer
  readonly length: number
}

/** Longer texts are kept as bytes, which are not copied when they are written. */
const LONGEST_TEXT = 8_192
const ASCII = /^[\0-\x7f]*$/

/**
 * Prepares a body. A short one of ASCII stays a text: Node puts texts behind the head and writes both at once, and
 * each of its characters is one byte in the encoding it is written in.
 */
export function preparedBody(content: string | Buffer): PreparedBody {
  const text = typeof content === 'string' ? content : content.toString('latin1')
  if (text.length <= LONGEST_TEXT && ASCII.test(text)) return { content: text, length: text.length }
  const bytes = Buffer.from(content)
  return { content: bytes, length: bytes.length }
}

/** Ends the response; `headers` follow the ones held back so far and have to name the body's type themselves. */
export function sendBody(
  res: ServerResponse,
  status: number,
  headers: HeaderList,
  body?: PreparedBody,
): void {
  const all = takeHeaders(res).concat(headers)
  if (body === undefined) {
    res.writeHead(status, all).end()
    return
  }
  all.push('Content-Length', String(body.length))
  res.writeHead(status, all).end(body.content, 'latin1')
}
