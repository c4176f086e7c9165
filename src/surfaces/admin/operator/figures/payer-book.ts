import type { Ledger } from '../../../../ledger/ledger.ts'
import type { PayerSales } from '../../../../ledger/operator-figures.ts'
import { dayOf } from '../../../../ledger/utc-days.ts'
import { createDaySlices, type Day } from './day-slices.ts'
import { LONGEST_RANGE } from './view-range.ts'

/** One for each payer, so that a day of sales takes no address of its own. */
export interface Payer {
  readonly address: string
  /** Day of the first sale, YYYY-MM-DD. */
  readonly since: string
}

/** What one payer bought on one day. */
export interface PayerDay extends Omit<PayerSales, 'payer'> {
  readonly payer: Payer
}

export interface PayerBook {
  /** Sales of each payer by day of the longest range, oldest day first. Rejects with StoreUnavailable. */
  upTo(at: number): Promise<readonly Day<PayerDay>[]>
}

/** Of what is older than the longest range, only the first day of each payer is kept. */
export function createPayerBook(ledger: Pick<Ledger, 'payerSales' | 'settled'>): PayerBook {
  const payers = new Map<string, { readonly address: string; since: string }>()
  const known = (address: string, day: string): Payer => {
    const payer = payers.get(address)
    if (payer === undefined) {
      const added = { address, since: day }
      payers.set(address, added)
      return added
    }
    if (day < payer.since) payer.since = day
    return payer
  }
  const read = async (from: number, to: number): Promise<readonly PayerDay[]> => {
    const day = dayOf(from)
    const rows = await ledger.payerSales(from, to)
    return rows.map(({ payer, sales, slow }) => ({ payer: known(payer, day), sales, slow }))
  }
  return createDaySlices(ledger, read, merged, LONGEST_RANGE)
}

function merged(parts: readonly PayerDay[]): readonly PayerDay[] {
  const sums = new Map<Payer, PayerDay>()
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
export function summarizePayers(days: readonly Day<PayerDay>[], firstDay: string): PayerSummary {
  const inRange = new Map<Payer, number>()
  for (const { day, items } of days) {
    if (day < firstDay) continue
    for (const { payer, sales } of items) inRange.set(payer, (inRange.get(payer) ?? 0) + sales)
  }
  const buyers = [...inRange].map(([{ address, since }, sales]) => ({ payer: address, sales, since }))
  const fresh = buyers.filter((buyer) => buyer.since >= firstDay).length
  return {
    fresh,
    returning: buyers.length - fresh,
    most: buyers.toSorted((a, b) => b.sales - a.sales || (a.payer < b.payer ? -1 : 1)).slice(0, MOST),
  }
}
