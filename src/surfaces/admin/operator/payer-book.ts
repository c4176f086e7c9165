import type { Ledger } from '../../../ledger/ledger.ts'
import type { PayerSales } from '../../../ledger/operator-figures.ts'
import { createDaySlices, type Day } from './day-slices.ts'

export interface PayerBook {
  /** Sales of each payer by day, oldest day first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly Day<PayerSales>[]>
}

export const createPayerBook = (ledger: Pick<Ledger, 'payerSales' | 'settled'>): PayerBook =>
  createDaySlices(ledger, (from, to) => ledger.payerSales(from, to), merged)

function merged(parts: readonly PayerSales[]): readonly PayerSales[] {
  const sums = new Map<string, PayerSales>()
  for (const { payer, sales, slow } of parts) {
    const sum = sums.get(payer)
    sums.set(payer, { payer, sales: (sum?.sales ?? 0) + sales, slow: (sum?.slow ?? 0) + slow })
  }
  return [...sums.values()]
}

export interface PayerSummary {
  /** Payers whose first sale is in the range. */
  readonly fresh: number
  /** Payers who bought in the range and before it. */
  readonly returning: number
  /** Those who bought most, best first. */
  readonly most: readonly { readonly payer: string; readonly sales: number; readonly since: string }[]
}

const MOST = 5

/** Who bought from `firstDay` on. */
export function summarizePayers(days: readonly Day<PayerSales>[], firstDay: string): PayerSummary {
  const since = new Map<string, string>()
  const inRange = new Map<string, number>()
  for (const { day, items } of days) {
    for (const { payer, sales } of items) {
      if (!since.has(payer)) since.set(payer, day)
      if (day >= firstDay) inRange.set(payer, (inRange.get(payer) ?? 0) + sales)
    }
  }
  const buyers = [...inRange].map(([payer, sales]) => ({ payer, sales, since: since.get(payer) ?? '' }))
  const fresh = buyers.filter((buyer) => buyer.since >= firstDay).length
  return {
    fresh,
    returning: buyers.length - fresh,
    most: buyers.toSorted((a, b) => b.sales - a.sales || (a.payer < b.payer ? -1 : 1)).slice(0, MOST),
  }
}
