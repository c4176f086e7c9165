import type { Sql } from '../store/sql.ts'
import type { PayerSales } from './operator-figures.ts'

type SalesRow = Record<'sales' | 'values' | 'delivered', number | string> &
  Record<'payer' | 'revenue', string>

// The sum is read as decimal text: a float would round it.
const SUM = `select payer, count(*) as sales, sum(items) as "values", count(delivered_at) as delivered,
    cast(sum(cast(amount as bigint)) as text) as revenue
  from payments where state = 'settled' and settled_at >= :from and settled_at < :to
  group by payer order by payer`

/** Sales settled from `from` until before `to`. */
export async function sumSales(db: Sql, from: number, to: number): Promise<readonly PayerSales[]> {
  const rows = await db.rows<SalesRow>(SUM, { from, to })
  return rows.map(({ payer, sales, values, delivered, revenue }) => ({
    payer,
    sales: Number(sales),
    values: Number(values),
    delivered: Number(delivered),
    revenue: BigInt(revenue),
  }))
}
