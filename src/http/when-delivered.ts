import type { ServerResponse } from 'node:http'

/**
 * Acts once an answer has been handed to a live connection in full; never when the client left before.
 *
 * To be called before the answer is ended. Node says "finish" also of an answer that was written to nobody, so
 * the connection is looked at as well.
 */
export function whenDelivered(res: ServerResponse, act: () => void): void {
  const { socket } = res
  res.once('finish', () => {
    if (socket !== null && !socket.destroyed) act()
  })
}
