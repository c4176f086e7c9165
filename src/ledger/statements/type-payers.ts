import { type Kysely, sql } from 'kysely'
import type { TypePayer } from '../operator-figures.ts'
import type { Schema } from '../schema.ts'

/** The distinct payers of each type, settled from `from` up to, not including, `to`. */
export async function selectTypePayers(
  db: Kysely<Schema>,
  from: number,
  to: number,
): Promise<readonly TypePayer[]> {
  const { rows } = await sql<{ check_type: string; payer: string }>`
    select distinct check_type, payer from payments
    where state = 'settled' and settled_at >= ${from} and settled_at < ${to}
    order by check_type, payer`.execute(db)
  return rows.map(({ check_type, payer }) => ({ checkType: check_type, payer }))
}
