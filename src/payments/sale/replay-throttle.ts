import type { PaymentRow } from '../../ledger/ledger.ts'

/** Differing values one authorization may be repeated with before it is slowed down. */
const FREE_MISMATCHES = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 3_600_000

/**
 * Milliseconds an authorization has to rest before it is answered again, 0 when it need not.
 *
 * Payer, nonce and signature are public once settled, so a row must not become a way to try values out. The pause
 * doubles with every further mismatch and holds whether the next request would match or not.
 */
export function pauseMs(row: PaymentRow, now: number): number {
  if (row.mismatches < FREE_MISMATCHES || row.mismatchedAt === null) return 0
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (row.mismatches - FREE_MISMATCHES), LONGEST_PAUSE_MS)
  return Math.max(0, row.mismatchedAt + pause - now)
}
