import { type Kysely, sql } from 'kysely'
import type { PayerSales } from '../operator-figures.ts'
import type { Schema } from '../schema.ts'

/** A settlement that took longer was noticed by the buyer. */
const SLOW_MS = 5_000

type Counted = 'sales' | 'values' | 'delivered' | 'slow'
type SalesRow = Pick<PayerSales, 'surface' | 'payer'> &
  Record<Counted, number | string> & { readonly check_type: string; readonly revenue: string }

/**
 * Sums what was settled from `from` up to, not including, `to`. The amount leaves the store as decimal text: a float
 * would round it.
 */
export async function sumSales(db: Kysely<Schema>, from: number, to: number): Promise<readonly PayerSales[]> {
  const { rows } = await sql<SalesRow>`
    select surface, check_type, payer, count(*) as sales, sum(items) as "values", count(delivered_at) as delivered,
      sum(case when settled_at - settling_at > ${SLOW_MS} then 1 else 0 end) as slow,
      cast(sum(cast(amount as bigint)) as text) as revenue
    from payments
    where state = 'settled' and settled_at >= ${from} and settled_at < ${to}
    group by surface, check_type, payer order by surface, check_type, payer`.execute(db)
  return rows.map(({ surface, check_type, payer, sales, values, delivered, slow, revenue }) => ({
    surface,
    checkType: check_type,
    payer,
    sales: Number(sales),
    values: Number(values),
    delivered: Number(delivered),
    slow: Number(slow),
    revenue: BigInt(revenue),
  }))
}
