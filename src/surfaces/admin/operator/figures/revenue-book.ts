import type { Ledger } from '../../../../ledger/ledger.ts'
import type { Revenue } from '../../../../ledger/operator-figures.ts'
import { createDaySlices } from './day-slices.ts'

/** The revenue of one surface and type on one UTC day. */
export interface DayRevenue extends Revenue {
  /** YYYY-MM-DD. */
  readonly day: string
}

export interface RevenueBook {
  /** All revenue up to a time (UTC milliseconds), oldest day first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly DayRevenue[]>
}

/** Revenue by day, surface, type and kind of payer. */
export function createRevenueBook(
  ledger: Pick<Ledger, 'revenue' | 'settled'>,
  ownPayers: readonly string[],
): RevenueBook {
  const slices = createDaySlices(ledger, (from, to) => ledger.revenue(from, to, ownPayers), merged)
  return {
    async upTo(at) {
      const days = await slices.upTo(at)
      return days.flatMap(({ day, items }) => items.map((revenue) => ({ ...revenue, day })))
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
