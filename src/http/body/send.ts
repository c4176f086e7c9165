import type { ServerResponse } from 'node:http'
import { type HeaderList, takeHeaders } from '../headers/buffered-headers.ts'

/** A body ready to be written, and its length in bytes. */
export interface PreparedBody {
  readonly content: string | Buffer
  readonly length: number
}

/** Longer texts are kept as bytes, which Node does not copy when it writes them. */
const LONGEST_TEXT = 8_192
const ASCII = /^[\0-\x7f]*$/

/** Prepares a body. Short ASCII stays text, because Node writes head and text in one piece. */
export function preparedBody(content: string | Buffer): PreparedBody {
  if (content.length <= LONGEST_TEXT) {
    const text = typeof content === 'string' ? content : content.toString('latin1')
    if (ASCII.test(text)) return { content: text, length: text.length }
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { content: bytes, length: bytes.length }
}

/** Writes status, buffered headers, `headers` and body at once; `headers` must name the content type. */
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

/** Runs `act` once the whole response has been handed to the operating system; never if the connection is gone by then. */
export function whenDelivered(res: ServerResponse, act: () => void): void {
  // Not the response's own socket: it has none while an earlier response of its connection is open.
  const { socket } = res.req
  res.once('finish', () => {
    // Node says "finish" also when the connection was closed before the last bytes could leave.
    if (!socket.destroyed) act()
  })
}
