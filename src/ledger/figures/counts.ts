import { type Columns, integer, reader, type Stored, same, writer } from '../store/columns.ts'
import { type Sql, tuples } from '../store/sql.ts'
import type { Count } from './operator-figures.ts'

const COUNT: Columns<Count> = {
  day: same('day'),
  surface: same('surface'),
  checkType: same('check_type'),
  outcome: same('outcome'),
  count: integer('count'),
}

const [toCount, fromCount] = [reader(COUNT), writer(COUNT)]

export async function addCounts(db: Sql, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return
  const { text, values } = tuples(summed(counts).map(fromCount))
  await db.rows(
    `insert into counts (day, surface, check_type, outcome, count) values ${text}
    on conflict (day, surface, check_type, outcome) do update set count = counts.count + excluded.count`,
    values,
  )
}

/**
 * Returns each row once, since one statement may change it only once, and in order, since writers that lock the same rows in
 * different orders would deadlock.
 */
function summed(counts: readonly Count[]): readonly Count[] {
  const sums = new Map<string, Count>()
  for (const { day, surface, checkType, outcome, count } of counts) {
    const name = JSON.stringify([day, surface, checkType, outcome])
    const before = sums.get(name)?.count ?? 0
    sums.set(name, { day, surface, checkType, outcome, count: before + count })
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell)
}

const SELECT = `select * from counts where day >= :fromDay and day <= :toDay
  order by day, surface, check_type, outcome`

export const selectCounts = async (db: Sql, fromDay: string, toDay: string): Promise<readonly Count[]> =>
  (await db.rows<Stored>(SELECT, { fromDay, toDay })).map(toCount)
