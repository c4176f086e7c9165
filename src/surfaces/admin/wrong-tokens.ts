import type { IncomingMessage } from 'node:http'
import { addressKey } from '../../http/limits/address-key.ts'
import { hitCounter } from '../../http/limits/hit-counter.ts'

/** Counts wrong tokens per address of the connection; proxies are not believed on this port. */
export interface WrongTokens {
  /** Whole seconds until the address may try a token again; undefined if it may now. */
  waitSeconds(req: IncomingMessage): number | undefined
  note(req: IncomingMessage): void
}

const MOST_PER_MINUTE = 10
const WINDOW_MS = 60_000
const MOST_ADDRESSES = 10_000

/** Ten wrong tokens a minute; then no token of the address is looked at, so that a right guess is not noticed either. */
export function wrongTokens(): WrongTokens {
  const counter = hitCounter(MOST_PER_MINUTE, WINDOW_MS, MOST_ADDRESSES)
  const keyOf = (req: IncomingMessage) => addressKey(req.socket.remoteAddress ?? '')
  return {
    waitSeconds: (req) => counter.secondsLeft(keyOf(req)),
    note: (req) => counter.hit(keyOf(req)),
  }
}
