import type { Count } from '../../../../ledger/operator-figures.ts'
import type { SalesCell } from './sales-book.ts'
import { sumSales } from './sum-sales.ts'

/** Outcomes that are no attempt to pay for something new. */
const NO_ATTEMPT = new Set(['payment_required', 'replayed', 'reconciled', 'written_off'])

export const isFailedPayment = (outcome: string): boolean => outcome !== 'sold' && !NO_ATTEMPT.has(outcome)

/**
 * How far calls with a single payment got, and what stopped the others. Quotes are a count of their own, since a client may
 * pay without asking, or ask often; paid are the payments that had not been answered before.
 *
 * What settled and was delivered are the rows themselves. Counts are written behind, and include calls over payment
 * channels, so "paid" is not their sum but the settled rows and the failed attempts: no stage exceeds the one before.
 * Counts name no payer, so both include the operator's own calls.
 */
export function buildFunnel(counts: readonly Omit<Count, 'day'>[], cells: readonly SalesCell[]) {
  const sumOf = (...outcomes: readonly string[]) =>
    counts.reduce((sum, { outcome, count }) => sum + (outcomes.includes(outcome) ? count : 0), 0)
  const failures = new Set(counts.map(({ outcome }) => outcome).filter(isFailedPayment))
  const { sales, delivered } = sumSales(cells)
  return {
    quoted: sumOf('payment_required'),
    paid: sales + sumOf(...failures),
    settled: sales,
    delivered,
    /** Our codes for what happened to a payment instead of a sale, most frequent first. */
    drops: [...failures]
      .map((code) => [code, sumOf(code)] as const)
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    replayed: sumOf('replayed'),
    reconciled: sumOf('reconciled'),
    writtenOff: sumOf('written_off'),
  }
}
