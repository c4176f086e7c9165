import type { Ledger, Revenue } from '../../../ledger/ledger.ts'
import { createDaySlices } from './day-slices.ts'

/** The revenue of one surface and type on one UTC day. */
export interface DayTakings extends Revenue {
  /** YYYY-MM-DD. */
  readonly day: string
}

export interface TakingsBook {
  /** All revenue up to a time (UTC milliseconds), oldest day first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly DayTakings[]>
}

/** Revenue by day, surface, type and kind of payer. */
export function createTakingsBook(
  ledger: Pick<Ledger, 'takings' | 'settled'>,
  ownPayers: readonly string[],
): TakingsBook {
  const slices = createDaySlices(ledger, (from, to) => ledger.takings(from, to, ownPayers), merged)
  return {
    async upTo(at) {
      const days = await slices.upTo(at)
      return days.flatMap(({ day, items }) => items.map((takings) => ({ ...takings, day })))
    },
  }
}

/** One entry for each surface, type and kind of payer. */
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
