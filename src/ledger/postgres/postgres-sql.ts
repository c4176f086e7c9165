import { boundedCache } from '../../caches/bounded-cache.ts'
import { makeOnce } from '../../caches/memoize.ts'
import { positional, type Sql, type Values } from '../store/sql.ts'
import type { PostgresPool } from './postgres-pool.ts'

export interface PostgresSql extends Sql {
  transaction<T>(work: (db: Sql) => Promise<T>): Promise<T>
}

type Query = (
  text: string,
  values: readonly unknown[],
) => Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>

type Translate = (text: string) => ReturnType<typeof positional>

/** Only a statement over a list, such as the one that adds counts, has many forms. */
const MOST_STATEMENTS = 500

const createTranslate = (): Translate =>
  makeOnce(boundedCache(MOST_STATEMENTS), (text: string) => positional(text, (place) => `$${place}`))

function over(query: Query, translate: Translate): Sql {
  const run = (text: string, values: Values) => {
    const { sql, names } = translate(text)
    return query(
      sql,
      names.map((name) => values[name]),
    )
  }
  return {
    rows: async <Row>(text: string, values: Values = {}) => (await run(text, values)).rows as readonly Row[],
    changed: async (text, values = {}) => (await run(text, values)).rowCount ?? 0,
  }
}

export function postgresSql(pool: PostgresPool): PostgresSql {
  const translate = createTranslate()
  return {
    ...over(async (text, values) => {
      const connection = await pool.connect()
      try {
        return await connection.query(text, values)
      } finally {
        connection.release()
      }
    }, translate),
    async transaction(work) {
      const connection = await pool.connect()
      try {
        await connection.query('begin', [])
        const result = await work(over(connection.query, translate))
        await connection.query('commit', [])
        return result
      } catch (error) {
        // A connection that is broken is given up, which rolls back too.
        await connection.query('rollback', []).catch(() => {})
        throw error
      } finally {
        connection.release()
      }
    },
  }
}
