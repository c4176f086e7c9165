import type { Count } from '../../../../ledger/figures/operator-figures.ts'
import type { SalesCell } from './sales-book.ts'
import { sumSales } from './sum-sales.ts'

/** Outcomes that are not an attempt to pay for something new. */
const NO_ATTEMPT = new Set(['payment_required', 'replayed', 'reconciled', 'written_off'])

export const isFailedPayment = (outcome: string): boolean => outcome !== 'sold' && !NO_ATTEMPT.has(outcome)

/**
 * Calls with a single payment. Quotes are no stage: a client may pay without asking, or ask often. The counts are later
 * than the rows and include channels, so "paid" is the settled rows plus the failed attempts: no stage exceeds the one
 * before. Counts name no payer, so all stages include the operator's own calls.
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
    /** Codes of the failed attempts, most frequent first. */
    drops: [...failures]
      .map((code) => [code, sumOf(code)] as const)
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    replayed: sumOf('replayed'),
    reconciled: sumOf('reconciled'),
    writtenOff: sumOf('written_off'),
  }
}
