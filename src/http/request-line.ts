import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export type RequestLines = ReturnType<typeof requestLines>

/** What may come before a request line (RFC 9112, section 2.2). */
const BLANK = /^[\r\n]+/

/** Looks at the line of each request before Node's parser does, which takes more than one space between its parts. */
export function requestLines() {
  const heads = new WeakMap<Socket, { text: string; before: IncomingMessage | undefined }>()
  return {
    /** Must be called before the first byte of a connection. */
    watch(socket: Socket): void {
      const head = { text: '', before: undefined as IncomingMessage | undefined }
      heads.set(socket, head)
      // Node's own listener, which parses the bytes, comes after this one.
      socket.prependListener('data', (bytes: Buffer) => {
        // A head that begins behind a body in one read is not looked at.
        if (head.before?.complete === false || head.text.includes('\n')) return
        head.text = (head.text + bytes.toString('latin1')).replace(BLANK, '')
      })
    },
    /** Whether there is more than one space between the parts. */
    isOdd(req: IncomingMessage): boolean {
      const { method, url, httpVersion, socket } = req
      const head = heads.get(socket)
      if (head === undefined) return false
      const { text } = head
      Object.assign(head, { text: '', before: req })
      return text.startsWith(`${method} `) && !text.startsWith(`${method} ${url} HTTP/${httpVersion}\r\n`)
    },
  }
}
