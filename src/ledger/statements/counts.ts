import { type Insertable, type Kysely, sql } from 'kysely'
import type { Count } from '../operator-figures.ts'
import { toCount } from '../rows.ts'
import type { CountTable, Schema } from '../schema.ts'

/** Adds to the daily counts in one statement; cells that do not exist yet start at zero. */
export async function addCounts(db: Kysely<Schema>, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return
  await db
    .insertInto('counts')
    .values(cells(counts))
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'surface', 'check_type', 'outcome'])
        .doUpdateSet({ count: sql<number>`counts.count + excluded.count` }),
    )
    .execute()
}

/**
 * Each cell once, since one statement may touch a row only once, and in one order, since writers that lock the same
 * rows in different orders would deadlock.
 */
function cells(counts: readonly Count[]) {
  const sums = new Map<string, Insertable<CountTable>>()
  for (const { day, surface, checkType, outcome, count } of counts) {
    const name = JSON.stringify([day, surface, checkType, outcome])
    const before = sums.get(name)?.count ?? 0
    sums.set(name, { day, surface, check_type: checkType, outcome, count: before + count })
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell)
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
