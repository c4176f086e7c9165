import type { Ledger, Revenue } from '../../../ledger/ledger.ts'

/** The takings of one surface and type on one UTC day. */
export interface DayTakings extends Revenue {
  /** YYYY-MM-DD. */
  readonly day: string
}

export interface TakingsBook {
  /** All takings up to a time (UTC milliseconds), oldest day first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly DayTakings[]>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long after its end a slice of time may still change: a reply may be delivered again for an hour. */
const FINAL_AFTER_MS = 2 * HOUR_MS

/**
 * Sums the settled rows slice by slice, and each slice that can no longer change only once.
 *
 * A sum over a million rows would hold an embedded store, and with it the process, for seconds. A day that is over is
 * one slice; of the days that are not, each hour is.
 */
export function createTakingsBook(
  ledger: Pick<Ledger, 'takings' | 'settled'>,
  ownPayers: readonly string[],
): TakingsBook {
  const kept = new Map<number, Map<number, readonly Revenue[]>>()

  const slice = async (from: number, length: number, at: number): Promise<readonly Revenue[]> => {
    const known = kept.get(length)?.get(from)
    if (known !== undefined) return known
    const takings = await ledger.takings(from, from + length, ownPayers)
    if (isFinal(from + length, at)) kept.set(length, (kept.get(length) ?? new Map()).set(from, takings))
    return takings
  }
  const dayFrom = async (from: number, at: number): Promise<readonly DayTakings[]> => {
    const day = new Date(from).toISOString().slice(0, 10)
    const parts: Revenue[] = []
    if (isFinal(from + DAY_MS, at)) {
      parts.push(...(await slice(from, DAY_MS, at)))
      for (let hour = from; hour < from + DAY_MS; hour += HOUR_MS) kept.get(HOUR_MS)?.delete(hour)
    } else {
      for (let hour = from; hour < from + DAY_MS && hour <= at; hour += HOUR_MS)
        parts.push(...(await slice(hour, HOUR_MS, at)))
    }
    return merged(parts).map((takings) => ({ ...takings, day }))
  }
  /** Where the day begins on which something was settled next. */
  const nextDay = async (from: number, at: number): Promise<number | null> => {
    const [row] = await ledger.settled(from, at + 1, 1)
    return row?.settledAt == null ? null : row.settledAt - (row.settledAt % DAY_MS)
  }

  return {
    async upTo(at) {
      const all: DayTakings[] = []
      let from = await nextDay(0, at)
      while (from !== null && from <= at) {
        const takings = await dayFrom(from, at)
        all.push(...takings)
        from = takings.length === 0 ? await nextDay(from + DAY_MS, at) : from + DAY_MS
      }
      return all
    },
  }
}

const isFinal = (end: number, at: number) => end + FINAL_AFTER_MS <= at

/** One entry per surface, type and kind of payer. */
function merged(parts: readonly Revenue[]): readonly Revenue[] {
  const sums = new Map<string, Revenue>()
  for (const part of parts) {
    const name = JSON.stringify([part.surface, part.checkType, part.own])
    const sum = sums.get(name)
    sums.set(
      name,
      sum === undefined
        ? part
        : {
            ...part,
            sales: sum.sales + part.sales,
            delivered: sum.delivered + part.delivered,
            revenue: sum.revenue + part.revenue,
          },
    )
  }
  return [...sums.values()]
}
