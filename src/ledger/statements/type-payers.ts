import { type Kysely, sql } from 'kysely'
import type { TypePayers } from '../operator-figures.ts'
import type { Schema } from '../schema.ts'

/** Counts the distinct payers of each type, settled from `from` up to, not including, `to`. */
export async function countTypePayers(
  db: Kysely<Schema>,
  from: number,
  to: number,
): Promise<readonly TypePayers[]> {
  const { rows } = await sql<{ check_type: string; payers: number | string }>`
    select check_type, count(distinct payer) as payers from payments
    where state = 'settled' and settled_at >= ${from} and settled_at < ${to}
    group by check_type order by check_type`.execute(db)
  return rows.map(({ check_type, payers }) => ({ checkType: check_type, payers: Number(payers) }))
}
