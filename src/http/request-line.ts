import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export interface RequestLines {
  /** Looks at what comes on a connection; must be called before its first byte. */
  watch(socket: Socket): void
  /** Whether the line of a request has more than one space between its parts, which Node's parser takes. */
  isOdd(req: IncomingMessage): boolean
}

/** What may come before a request line (RFC 9112, section 2.2). */
const BLANK = /^[\r\n]+/

export function requestLines(): RequestLines {
  /** The text of the head that is arriving, and the request before it. */
  const heads = new WeakMap<Socket, { text: string; before: IncomingMessage | undefined }>()
  return {
    watch(socket) {
      const head = { text: '', before: undefined as IncomingMessage | undefined }
      heads.set(socket, head)
      // Node's own listener, which parses the bytes, comes after this one.
      socket.prependListener('data', (bytes: Buffer) => {
        // A head that begins behind a body in one read is not looked at.
        if (head.before?.complete === false || head.text.includes('\n')) return
        head.text = (head.text + bytes.toString('latin1')).replace(BLANK, '')
      })
    },
    isOdd(req) {
      const { method, url, httpVersion, socket } = req
      const head = heads.get(socket)
      if (head === undefined) return false
      const { text } = head
      Object.assign(head, { text: '', before: req })
      return text.startsWith(`${method} `) && !text.startsWith(`${method} ${url} HTTP/${httpVersion}\r\n`)
    },
  }
}
