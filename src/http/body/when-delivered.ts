import type { ServerResponse } from 'node:http'

/**
 * Acts once the last byte of an answer has been handed to the operating system; never when the client left
 * before, since Node says "finish" of no answer whose connection is gone (held by connections.test.ts).
 */
export function whenDelivered(res: ServerResponse, act: () => void): void {
  res.once('finish', act)
}
