import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sales } from '../../../../ledger/figures/operator-figures.ts'
import type { Ledger } from '../../../../ledger/ledger.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../../../values/utc-days.ts'
import { sumSales } from './sum-sales.ts'
import { LONGEST_RANGE } from './view-range.ts'

/** One object for each payer, shared by all its cells. */
export interface Payer {
  readonly address: string
  /** Day of the first sale, YYYY-MM-DD. */
  readonly since: string
}

/** What one payer bought on one UTC day. */
export interface SalesCell extends Sales {
  /** YYYY-MM-DD; empty for everything before the longest range, which is one sum. */
  readonly day: string
  readonly own: boolean
  /** Null before the longest range. */
  readonly payer: Payer | null
}

export interface SalesBook {
  /** Everything sold up to a time (UTC milliseconds). Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly SalesCell[]>
}

/** How long after its end a slice may change: an answer can be fetched for an hour, which changes `delivered`. */
const FINAL_AFTER_MS = 2 * HOUR_MS

/**
 * Reads the settled rows slice by slice (finished days; hours of the others), and a slice that can no longer change only
 * once.
 *
 * A sum over a million rows would block SQLite, and with it the process, for seconds. The event loop gets a turn after each
 * slice, since SQLite answers without one.
 *
 * @param ownPayers - lower-case addresses
 */
export function createSalesBook(
  ledger: Pick<Ledger, 'sales' | 'settled'>,
  ownPayers: readonly string[],
): SalesBook {
  const payers = new Map<string, { readonly address: string; since: string }>()
  const days = new Map<number, readonly SalesCell[]>()
  const hours = new Map<number, readonly SalesCell[]>()
  /** The sum of the days before the longest range, and where they end (UTC milliseconds). */
  let before: readonly SalesCell[] = []
  let beforeEnds = 0
  /** Milliseconds that the clock was before the monotonic one at the last look. */
  let lead = Number.NEGATIVE_INFINITY

  const known = (address: string, day: string): Payer => {
    const payer = payers.get(address) ?? { address, since: day }
    payers.set(address, payer)
    if (day < payer.since) payer.since = day
    return payer
  }
  const slice = async (kept: typeof days, from: number, length: number, at: number) => {
    const cells = kept.get(from)
    if (cells !== undefined) return cells
    const day = dayOf(from)
    const read = (await ledger.sales(from, from + length)).map(({ payer, ...sales }) => ({
      ...sales,
      day,
      payer: known(payer, day),
      own: ownPayers.includes(payer),
    }))
    await nextTurn()
    if (isFinal(from + length, at)) kept.set(from, read)
    return read
  }
  const dayFrom = async (from: number, at: number): Promise<readonly SalesCell[]> => {
    const starts = Array.from({ length: DAY_MS / HOUR_MS }, (_, hour) => from + hour * HOUR_MS)
    if (isFinal(from + DAY_MS, at)) {
      for (const hour of starts) hours.delete(hour)
      return slice(days, from, DAY_MS, at)
    }
    const parts: (readonly SalesCell[])[] = []
    for (const hour of starts) if (hour <= at) parts.push(await slice(hours, hour, HOUR_MS, at))
    return parts.flat()
  }
  const nextDay = async (from: number, at: number): Promise<number | null> => {
    const [row] = await ledger.settled(from, at + 1, 1)
    return row?.settledAt == null ? null : startOf(row.settledAt)
  }
  const look = async (at: number): Promise<readonly SalesCell[]> => {
    const leads = at - performance.now()
    if (leads + HOUR_MS < lead) {
      // The clock was set back, so slices may be kept whose time had not come.
      for (const kept of [days, hours]) kept.clear()
      before = []
      beforeEnds = 0
    }
    lead = leads
    const first = startOf(at) - (LONGEST_RANGE - 1) * DAY_MS
    const found: (readonly SalesCell[])[] = []
    let from = await nextDay(beforeEnds, at)
    while (from !== null && from <= at) {
      const cells = await dayFrom(from, at)
      if (from < first) {
        before = merged([...before, ...cells])
        beforeEnds = from + DAY_MS
        days.delete(from)
      } else found.push(cells)
      from = cells.length === 0 ? await nextDay(from + DAY_MS, at) : from + DAY_MS
    }
    return [before, ...found].flat()
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    upTo(at) {
      // One after the other, so that no two read the same slice, or drop a day while the other reads it.
      const next = last.then(() => look(at))
      last = next.catch(() => {})
      return next
    },
  }
}

/** Sums cells into one for the operator's own payers and one for all others. */
const merged = (cells: readonly SalesCell[]): readonly SalesCell[] =>
  [...Map.groupBy(cells, ({ own }) => own)].map(([own, group]) => ({
    day: '',
    payer: null,
    own,
    ...sumSales(group),
  }))

const startOf = (at: number) => at - (at % DAY_MS)
const isFinal = (end: number, at: number) => end + FINAL_AFTER_MS <= at
