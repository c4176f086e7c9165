import { boundedCache } from '../../../bounded-cache.ts'
import type { PaymentKey } from '../../../ledger/payment-row.ts'

/** Differing calls that all clients together may name under one authorization before it is locked. */
export const LOCKED_FROM = 50
/** Differing calls that one client may name under one authorization before it must wait. */
const FREE_MISMATCHES = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 3_600_000
/** Pairs of client and authorization that are remembered. */
const MOST_PAIRS = 10_000

export interface MismatchLimiter {
  /** Milliseconds this client must wait before its next call under this authorization; 0 if it need not. */
  pauseMs(client: string, key: PaymentKey, now: number): number
  note(client: string, key: PaymentKey, now: number): void
}

/**
 * Slows down a client that tries values out under an authorization, whether its next call would match or not.
 *
 * Payer, nonce and signature are public once a payment is settled, so the row must not tell what was bought, and a
 * stranger must not be able to use up the buyer's tries: each client has its own.
 */
export function createMismatchLimiter(): MismatchLimiter {
  const pairs = boundedCache<{ readonly count: number; readonly at: number }>(MOST_PAIRS)
  const nameOf = (client: string, { payer, nonce }: PaymentKey) => `${payer}/${nonce}/${client}`
  return {
    pauseMs(client, key, now) {
      const seen = pairs.get(nameOf(client, key))
      if (seen === undefined || seen.count < FREE_MISMATCHES) return 0
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (seen.count - FREE_MISMATCHES), LONGEST_PAUSE_MS)
      // No longer than the pause, also if the clock was put back.
      return Math.max(0, Math.min(pause, seen.at + pause - now))
    },
    note(client, key, now) {
      const name = nameOf(client, key)
      pairs.set(name, { count: (pairs.get(name)?.count ?? 0) + 1, at: now })
    },
  }
}
