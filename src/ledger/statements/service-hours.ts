import { type Kysely, sql } from 'kysely'
import { toNumber } from '../rows.ts'
import type { Schema } from '../schema.ts'
import type { ServiceCount, ServiceHistory } from '../service-history.ts'

/** Adds to the counts of an hour in one statement; each name at most once. */
export async function addServiceHour(
  db: Kysely<Schema>,
  hour: string,
  counts: ReadonlyMap<ServiceCount, number>,
): Promise<void> {
  if (counts.size === 0) return
  await db
    .insertInto('service_hours')
    // In one order: replicas that lock the same rows in different orders would deadlock.
    .values(
      [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => ({ hour, name, count })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'name'])
        .doUpdateSet({ count: sql<number>`service_hours.count + excluded.count` }),
    )
    .execute()
}

export async function selectServiceHistory(db: Kysely<Schema>, fromDay: string): Promise<ServiceHistory> {
  const rows = await db
    .selectFrom('service_hours')
    .select([sql<string>`substr(hour, 1, 10)`.as('day'), 'name'])
    .select(({ fn }) => [fn.sum<number | string>('count').as('count'), fn.max('hour').as('last')])
    .where('hour', '>=', fromDay)
    .groupBy(['day', 'name'])
    .orderBy('day')
    .execute()
  const days = new Map<string, Partial<Record<ServiceCount, number>>>()
  for (const { day, name, count } of rows) days.set(day, { ...days.get(day), [name]: toNumber(count) })
  return { days, lastSaleHour: rows.findLast(({ name }) => name === 'sold')?.last ?? null }
}
