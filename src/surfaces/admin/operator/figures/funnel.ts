import type { Count } from '../../../../ledger/operator-figures.ts'
import type { SalesCell } from './sales-book.ts'
import { sumSales } from './sum-sales.ts'

/** Calls with a single payment, from the payment to the delivered verdict; each stage includes the next one. */
export interface Funnel {
  /** Calls with a payment that had not been answered before. */
  readonly paid: number
  readonly settled: number
  readonly delivered: number
  /** Calls answered with a quote: a count of its own, since a client may pay without asking, or ask often. */
  readonly quoted: number
  /** Our codes for what happened to a payment instead of a sale, most frequent first. */
  readonly drops: readonly (readonly [code: string, count: number])[]
  readonly replayed: number
  readonly reconciled: number
  readonly writtenOff: number
}

/** Outcomes that are no attempt to pay for something new. */
const NO_ATTEMPT = new Set(['payment_required', 'replayed', 'reconciled', 'written_off'])

export const isFailedPayment = (outcome: string): boolean => outcome !== 'sold' && !NO_ATTEMPT.has(outcome)

/**
 * How far payments got, and what stopped the others.
 *
 * What settled and was delivered are the rows themselves. Counts are written behind, and include calls over payment
 * channels, so "paid" is not their sum but the settled rows and the failed attempts: no stage exceeds the one before.
 * Counts name no payer, so both include the operator's own calls.
 */
export function buildFunnel(counts: readonly Omit<Count, 'day'>[], cells: readonly SalesCell[]): Funnel {
  const sumOf = (...outcomes: readonly string[]) =>
    counts.reduce((sum, { outcome, count }) => sum + (outcomes.includes(outcome) ? count : 0), 0)
  const failures = new Set(counts.map(({ outcome }) => outcome).filter(isFailedPayment))
  const { sales, delivered } = sumSales(cells)
  return {
    quoted: sumOf('payment_required'),
    paid: sales + sumOf(...failures),
    settled: sales,
    delivered,
    drops: [...failures]
      .map((code) => [code, sumOf(code)] as const)
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    replayed: sumOf('replayed'),
    reconciled: sumOf('reconciled'),
    writtenOff: sumOf('written_off'),
  }
}
