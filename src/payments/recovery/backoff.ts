import type { PaymentKey, PaymentRow } from '../../ledger/ledger.ts'

/** Says which rows are worth another look at the chain; it never says what becomes of them. */
export interface Backoff {
  isDue(row: PaymentRow, now: number): boolean
  /** It was looked at and stays open. */
  stillOpen(row: PaymentRow, now: number): void
  closed(row: PaymentKey): void
}

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

const nameOf = ({ payer, nonce }: PaymentKey) => `${payer}/${nonce}`

/**
 * Looks at rows ever more rarely, up to once an hour, once their authorization has expired: a row that only an
 * operator can explain would otherwise cost the node a search of ever more blocks every minute.
 */
export function createBackoff(): Backoff {
  const pauses = new Map<string, { readonly pauseMs: number; readonly until: number }>()
  return {
    isDue: (row, now) => (pauses.get(nameOf(row))?.until ?? 0) <= now,
    stillOpen(row, now) {
      if (row.validBefore * 1000 > now) return
      const before = pauses.get(nameOf(row))?.pauseMs ?? FIRST_PAUSE_MS / 2
      const pauseMs = Math.min(before * 2, LONGEST_PAUSE_MS)
      pauses.set(nameOf(row), { pauseMs, until: now + pauseMs })
    },
    closed: (row) => void pauses.delete(nameOf(row)),
  }
}

/** Looks at every row every time. */
export const LOOK_ALWAYS: Backoff = { isDue: () => true, stillOpen: () => {}, closed: () => {} }
