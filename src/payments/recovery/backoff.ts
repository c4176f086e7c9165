import { boundedCache } from '../../caches/bounded-cache.ts'
import type { PaymentKey } from '../../ledger/payments/payment-row.ts'

export interface Backoff {
  isDue(row: PaymentKey, now: number): boolean
  /** The node did not answer for this row; each failure doubles the pause. */
  failed(row: PaymentKey, now: number): void
  postpone(row: PaymentKey, dueAt: number): void
  forget(row: PaymentKey): void
}

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
const MOST_ROWS = 100_000

interface Pause {
  readonly pauseMs: number
  readonly until: number
}

const nameOf = ({ payer, nonce }: PaymentKey) => `${payer}/${nonce}`

/** Keeps the pauses in memory: after a restart, every row is due. */
export function createBackoff(): Backoff {
  const pauses = boundedCache<Pause>(MOST_ROWS)
  return {
    isDue(row, now) {
      const pause = pauses.get(nameOf(row))
      // A pause that is longer than the longest one: the clock was set back.
      return pause === undefined || pause.until <= now || pause.until > now + LONGEST_PAUSE_MS
    },
    failed(row, now) {
      const before = pauses.get(nameOf(row))?.pauseMs ?? 0
      const pauseMs = Math.min(Math.max(before * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
      pauses.set(nameOf(row), { pauseMs, until: now + pauseMs })
    },
    postpone: (row, until) => void pauses.set(nameOf(row), { pauseMs: 0, until }),
    forget: (row) => void pauses.delete(nameOf(row)),
  }
}
