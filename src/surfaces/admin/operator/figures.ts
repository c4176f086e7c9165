import type { Backlog, CountTotal, Ledger } from '../../../ledger/ledger.ts'
import { DAY_MS, dayOf, WINDOW_DAYS } from '../../../ledger/utc-days.ts'
import type { DayTakings, TakingsBook } from './takings-book.ts'

/** A figure as it was read, or the fact that it could not be: a failure is never shown as zero. */
export type Reading<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'failed' }

/** What one process has seen of its facilitator since it started. */
export interface SettlementSummary {
  readonly counts: Readonly<Record<'settled' | 'refused' | 'doubtful' | 'not_sent', number>>
  /** Of the last settlements: median, 95th percentile and slowest; null when there were none. */
  readonly latencyMs: { readonly median: number; readonly slow: number; readonly slowest: number } | null
}

export interface ProcessHealth {
  readonly ready: boolean
  readonly chainUp: boolean
  /** UTC milliseconds. */
  readonly startedAt: number
}

/** Everything the operator's view shows, read once. */
export interface Figures {
  /** UTC milliseconds. */
  readonly at: number
  readonly health: ProcessHealth
  /** Every day on which something was settled, oldest first. */
  readonly takings: Reading<readonly DayTakings[]>
  /** Counts of {@link WINDOW_DAYS} days, today included. */
  readonly counts: Reading<readonly CountTotal[]>
  readonly standing: Reading<Backlog>
  readonly settlements: SettlementSummary
}

export interface FiguresDeps {
  readonly ledger: Pick<Ledger, 'countTotals' | 'standing'>
  readonly takings: TakingsBook
  readonly settlements: () => SettlementSummary
  readonly ready: () => Promise<boolean>
  readonly chainUp: () => boolean
  readonly startedAt: number
  /** UTC milliseconds. */
  readonly now: () => number
}

/** Reads all figures; each on its own, so that one failure leaves the others standing. Never rejects. */
export async function readFigures(deps: FiguresDeps): Promise<Figures> {
  const at = deps.now()
  const from = dayOf(at - (WINDOW_DAYS - 1) * DAY_MS)
  const [takings, counts, standing, ready] = await Promise.all([
    reading(deps.takings.upTo(at)),
    reading(deps.ledger.countTotals(from, dayOf(at))),
    reading(deps.ledger.standing()),
    reading(deps.ready()),
  ])
  return {
    at,
    health: {
      ready: ready.kind === 'read' && ready.value,
      chainUp: deps.chainUp(),
      startedAt: deps.startedAt,
    },
    takings,
    counts,
    standing,
    settlements: deps.settlements(),
  }
}

const reading = <T>(promise: Promise<T>): Promise<Reading<T>> =>
  promise.then(
    (value) => ({ kind: 'read' as const, value }),
    () => ({ kind: 'failed' as const }),
  )
