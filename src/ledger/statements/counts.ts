import { type Kysely, sql } from 'kysely'
import type { Count } from '../ledger.ts'
import { toCount } from '../rows.ts'
import type { Schema } from '../schema.ts'

/** Adds to the daily counts; cells that do not exist yet start at zero. */
export async function addCounts(db: Kysely<Schema>, counts: readonly Count[]): Promise<void> {
  for (const { day, surface, checkType, outcome, count } of counts) {
    await db
      .insertInto('counts')
      .values({ day, surface, check_type: checkType, outcome, count })
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'surface', 'check_type', 'outcome'])
          .doUpdateSet({ count: sql<number>`counts.count + ${count}` }),
      )
      .execute()
  }
}

export async function selectCounts(
  db: Kysely<Schema>,
  fromDay: string,
  toDay: string,
): Promise<readonly Count[]> {
  const rows = await db
    .selectFrom('counts')
    .selectAll()
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .orderBy('day')
    .orderBy('surface')
    .orderBy('check_type')
    .orderBy('outcome')
    .execute()
  return rows.map(toCount)
}
