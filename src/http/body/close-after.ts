import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may go on sending after it has its answer and knows that the connection ends. */
const LINGER_MS = 2_000

export const endsWithAnswer = (socket: Socket): boolean => Object.hasOwn(socket, 'destroySoon')

/** Makes an answer the last one of its connection; it says so unless its head has left. */
export function closeAfter(res: ServerResponse): void {
  const { socket } = res.req
  if (endsWithAnswer(socket)) return
  res.shouldKeepAlive = false
  // Node would close a connection with unread bytes at once, and the client might never see its answer (RFC 9112, 9.6).
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  // Comes before Node's own listener, which would go on with the next answer.
  res.prependOnceListener('finish', () => socket.destroySoon())
}
