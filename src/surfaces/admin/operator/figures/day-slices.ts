import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ledger } from '../../../../ledger/ledger.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../../../ledger/utc-days.ts'

export interface Day<T> {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly items: readonly T[]
}

export interface DaySlices<T> {
  /**
   * The days up to a time (UTC milliseconds) on which something was settled, oldest first: all, or those that are kept.
   * Rejects with StoreUnavailable.
   */
  upTo(at: number): Promise<readonly Day<T>[]>
}

/** How long after its end a slice may still change: a reply may be delivered again for an hour. */
const FINAL_AFTER_MS = 2 * HOUR_MS

/**
 * Sums settled rows slice by slice, and each slice that can no longer change only once.
 *
 * A sum over a million rows would block an embedded store, and with it the process, for seconds. A finished day is one
 * slice; an unfinished day has one slice for each hour. The event loop turns after each, since such a store answers
 * without a turn. Of the days before the last `keptDays` each is read once, for the sake of `read`, and dropped.
 */
export function createDaySlices<T>(
  ledger: Pick<Ledger, 'settled'>,
  read: (from: number, to: number) => Promise<readonly T[]>,
  merge: (parts: readonly T[]) => readonly T[],
  keptDays = Number.POSITIVE_INFINITY,
): DaySlices<T> {
  const kept = new Map<number, Map<number, readonly T[]>>()
  /** End of the last day that was dropped. */
  let dropped = 0

  const slice = async (from: number, length: number, at: number): Promise<readonly T[]> => {
    const known = kept.get(length)?.get(from)
    if (known !== undefined) return known
    const items = await read(from, from + length)
    await nextTurn()
    if (isFinal(from + length, at)) kept.set(length, (kept.get(length) ?? new Map()).set(from, items))
    return items
  }
  const dayFrom = async (from: number, at: number): Promise<readonly T[]> => {
    if (isFinal(from + DAY_MS, at)) {
      for (let hour = from; hour < from + DAY_MS; hour += HOUR_MS) kept.get(HOUR_MS)?.delete(hour)
      return slice(from, DAY_MS, at)
    }
    const parts: (readonly T[])[] = []
    for (let hour = from; hour < from + DAY_MS && hour <= at; hour += HOUR_MS)
      parts.push(await slice(hour, HOUR_MS, at))
    return merge(parts.flat())
  }
  /** Start of the next day on which something was settled. */
  const nextDay = async (from: number, at: number): Promise<number | null> => {
    const [row] = await ledger.settled(from, at + 1, 1)
    return row?.settledAt == null ? null : startOf(row.settledAt)
  }
  const look = async (at: number): Promise<readonly Day<T>[]> => {
    const first = startOf(at) - (keptDays - 1) * DAY_MS
    const days: Day<T>[] = []
    let from = await nextDay(dropped, at)
    while (from !== null && from <= at) {
      const items = await dayFrom(from, at)
      if (from < first) {
        kept.get(DAY_MS)?.delete(from)
        dropped = from + DAY_MS
      } else if (items.length > 0) days.push({ day: dayOf(from), items })
      from = items.length === 0 ? await nextDay(from + DAY_MS, at) : from + DAY_MS
    }
    return days
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    upTo(at) {
      // One after the other: a second look reads what the first one has not, and neither drops a day that the other reads.
      const next = last.then(() => look(at))
      last = next.catch(() => {})
      return next
    },
  }
}

const startOf = (at: number) => at - (at % DAY_MS)
const isFinal = (end: number, at: number) => end + FINAL_AFTER_MS <= at
