import { boundedCache } from '../../../caches/bounded-cache.ts'
import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'

/** Differing calls by all clients under one authorization, after which it is locked. */
export const LOCKED_FROM = 50
/** Differing calls by one client under one authorization, after which it must wait. */
const FREE_MISMATCHES = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 3_600_000
const MOST_PAIRS = 10_000

export interface MismatchLimiter {
  /** 0 if it need not wait; also for a call that would match. */
  pauseMs(client: string, key: PaymentKey, now: number): number
  note(client: string, key: PaymentKey, now: number): void
}

/**
 * Payer, nonce and signature are public once a payment is settled. Each client has its own tries, so that a stranger
 * cannot use up the buyer's.
 */
export function createMismatchLimiter(): MismatchLimiter {
  const pairs = boundedCache<{ readonly count: number; readonly at: number }>(MOST_PAIRS)
  const nameOf = (client: string, { payer, nonce }: PaymentKey) => `${payer}/${nonce}/${client}`
  return {
    pauseMs(client, key, now) {
      const seen = pairs.get(nameOf(client, key))
      if (seen === undefined || seen.count < FREE_MISMATCHES) return 0
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (seen.count - FREE_MISMATCHES), LONGEST_PAUSE_MS)
      // If the clock was put back, the wait is no longer than the pause.
      return Math.max(0, Math.min(pause, seen.at + pause - now))
    },
    note(client, key, now) {
      const name = nameOf(client, key)
      pairs.set(name, { count: (pairs.get(name)?.count ?? 0) + 1, at: now })
    },
  }
}
