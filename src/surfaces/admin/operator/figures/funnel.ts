import type { CountTotal } from '../../../../ledger/operator-figures.ts'
import type { DayRevenue } from './revenue-book.ts'

export interface Stages {
  /** Calls that were answered with a quote. */
  readonly quoted: number
  /** Calls that came with a payment that had not been answered before. */
  readonly paid: number
  readonly settled: number
  readonly delivered: number
}

export interface Drop {
  /** Our code for what happened instead of a sale. */
  readonly reason: string
  readonly count: number
}

export interface Funnel {
  readonly all: Stages
  readonly bySurface: ReadonlyMap<string, Stages>
  /** Most frequent first. */
  readonly drops: readonly Drop[]
  readonly replayed: number
  readonly reconciled: number
  readonly writtenOff: number
}

/** Outcomes that are no attempt to pay for something new. */
const NO_ATTEMPT = new Set(['payment_required', 'replayed', 'reconciled', 'written_off'])

export const isAttempt = (outcome: string): boolean => !NO_ATTEMPT.has(outcome)

/**
 * How far calls got on their way from a quote to a delivered verdict, and what stopped the others.
 *
 * Quotes, attempts and drops are the counts, which name no payer and so include the operator's own calls; what was
 * settled and delivered are the rows themselves, and include them too, so that the stages can be compared.
 */
export function buildFunnel(counts: readonly CountTotal[], revenue: readonly DayRevenue[]): Funnel {
  const surfaces = new Set([...counts, ...revenue].map(({ surface }) => surface))
  const drops = new Map<string, number>()
  for (const { outcome, count } of counts) {
    if (isAttempt(outcome) && outcome !== 'sold') drops.set(outcome, (drops.get(outcome) ?? 0) + count)
  }
  const sumOf = (outcome: string) => sum(counts.filter((cell) => cell.outcome === outcome))
  return {
    all: stages(counts, revenue),
    bySurface: new Map(
      [...surfaces].toSorted().map((surface) => [
        surface,
        stages(
          counts.filter((cell) => cell.surface === surface),
          revenue.filter((cell) => cell.surface === surface),
        ),
      ]),
    ),
    drops: [...drops]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    replayed: sumOf('replayed'),
    reconciled: sumOf('reconciled'),
    writtenOff: sumOf('written_off'),
  }
}

const sum = (cells: readonly CountTotal[]) => cells.reduce((total, { count }) => total + count, 0)

const stages = (counts: readonly CountTotal[], revenue: readonly DayRevenue[]): Stages => ({
  quoted: sum(counts.filter(({ outcome }) => outcome === 'payment_required')),
  paid: sum(counts.filter(({ outcome }) => isAttempt(outcome))),
  settled: revenue.reduce((total, { sales }) => total + sales, 0),
  delivered: revenue.reduce((total, { delivered }) => total + delivered, 0),
})
