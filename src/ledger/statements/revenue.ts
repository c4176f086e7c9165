import { type Kysely, sql } from 'kysely'
import type { Revenue } from '../operator-figures.ts'
import type { Schema } from '../schema.ts'

interface RevenueRow {
  readonly surface: string
  readonly check_type: string
  readonly own: number
  readonly sales: number | string
  readonly delivered: number | string
  readonly revenue: string
}

/**
 * Sums what was settled from `from` up to, not including, `to`.
 *
 * The sum leaves the store as decimal text, since a float would round it. Groups are named by position: the test for
 * own payers carries parameters, and PostgreSQL takes two of them for two different expressions.
 */
export async function sumRevenue(
  db: Kysely<Schema>,
  from: number,
  to: number,
  ownPayers: readonly string[],
): Promise<readonly Revenue[]> {
  const own =
    ownPayers.length === 0 ? sql`0` : sql`case when payer in (${sql.join(ownPayers)}) then 1 else 0 end`
  const { rows } = await sql<RevenueRow>`
    select surface, check_type, ${own} as own, count(*) as sales, count(delivered_at) as delivered,
      cast(sum(cast(amount as bigint)) as text) as revenue
    from payments
    where state = 'settled' and settled_at >= ${from} and settled_at < ${to}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows.map((row) => ({
    surface: row.surface,
    checkType: row.check_type,
    own: Number(row.own) === 1,
    sales: Number(row.sales),
    delivered: Number(row.delivered),
    revenue: BigInt(row.revenue),
  }))
}
