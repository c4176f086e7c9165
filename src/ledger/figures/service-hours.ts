import { type Sql, tuples } from '../store/sql.ts'
import type { ServiceCount, ServiceHistory } from './service-history.ts'

/** `hour` is in UTC, YYYY-MM-DDTHH. */
export async function addServiceHour(
  db: Sql,
  hour: string,
  counts: ReadonlyMap<ServiceCount, number>,
): Promise<void> {
  if (counts.size === 0) return
  // Sorted: replicas that lock the same rows in different orders would deadlock.
  const ordered = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { text, values } = tuples(ordered.map(([name, count]) => ({ hour, name, count })))
  await db.rows(
    `insert into service_hours (hour, name, count) values ${text}
    on conflict (hour, name) do update set count = service_hours.count + excluded.count`,
    values,
  )
}

const HISTORY = `select substr(hour, 1, 10) as day, name, sum(count) as count, max(hour) as last from service_hours
  where hour >= :fromDay group by substr(hour, 1, 10), name order by day, name`

/** `fromDay` is in UTC, YYYY-MM-DD. */
export async function selectServiceHistory(db: Sql, fromDay: string): Promise<ServiceHistory> {
  const rows = await db.rows<Record<'day' | 'name' | 'count' | 'last', string>>(HISTORY, { fromDay })
  const days = new Map<string, Partial<Record<ServiceCount, number>>>()
  for (const { day, name, count } of rows) days.set(day, { ...days.get(day), [name]: Number(count) })
  return { days, lastSaleHour: rows.findLast(({ name }) => name === 'sold')?.last ?? null }
}
