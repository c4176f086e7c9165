import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ledger } from '../../../ledger/ledger.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../../ledger/utc-days.ts'

export interface Day<T> {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly items: readonly T[]
}

export interface DaySlices<T> {
  /** Every day up to a time (UTC milliseconds) on which something was settled, oldest first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly Day<T>[]>
}

/** How long after its end a slice may still change: a reply may be delivered again for an hour. */
const FINAL_AFTER_MS = 2 * HOUR_MS

/**
 * Sums settled rows slice by slice, and each slice that can no longer change only once.
 *
 * A sum over a million rows would block an embedded store, and with it the process, for seconds. A finished day is one
 * slice; an unfinished day has one slice for each hour. The event loop turns after each, since such a store answers
 * without a turn.
 */
export function createDaySlices<T>(
  ledger: Pick<Ledger, 'settled'>,
  read: (from: number, to: number) => Promise<readonly T[]>,
  merge: (parts: readonly T[]) => readonly T[],
): DaySlices<T> {
  const kept = new Map<number, Map<number, readonly T[]>>()

  const slice = async (from: number, length: number, at: number): Promise<readonly T[]> => {
    const known = kept.get(length)?.get(from)
    if (known !== undefined) return known
    const items = await read(from, from + length)
    await nextTurn()
    if (isFinal(from + length, at)) kept.set(length, (kept.get(length) ?? new Map()).set(from, items))
    return items
  }
  const dayFrom = async (from: number, at: number): Promise<readonly T[]> => {
    const parts: T[] = []
    if (isFinal(from + DAY_MS, at)) {
      parts.push(...(await slice(from, DAY_MS, at)))
      for (let hour = from; hour < from + DAY_MS; hour += HOUR_MS) kept.get(HOUR_MS)?.delete(hour)
    } else {
      for (let hour = from; hour < from + DAY_MS && hour <= at; hour += HOUR_MS)
        parts.push(...(await slice(hour, HOUR_MS, at)))
    }
    return merge(parts)
  }
  /** Start of the next day on which something was settled. */
  const nextDay = async (from: number, at: number): Promise<number | null> => {
    const [row] = await ledger.settled(from, at + 1, 1)
    return row?.settledAt == null ? null : row.settledAt - (row.settledAt % DAY_MS)
  }

  return {
    async upTo(at) {
      const days: Day<T>[] = []
      let from = await nextDay(0, at)
      while (from !== null && from <= at) {
        const items = await dayFrom(from, at)
        if (items.length > 0) days.push({ day: dayOf(from), items })
        from = items.length === 0 ? await nextDay(from + DAY_MS, at) : from + DAY_MS
      }
      return days
    },
  }
}

const isFinal = (end: number, at: number) => end + FINAL_AFTER_MS <= at
