import type { Database, Statement } from 'better-sqlite3'
import { boundedCache } from '../../caches/bounded-cache.ts'
import { makeOnce } from '../../caches/memoize.ts'
import { positional, type Sql, type Values } from '../store/sql.ts'
import { guardWith } from '../store/store-guard.ts'

export const BUSY_TIMEOUT_MS = 2_000

export const guarded = guardWith('the SQLite store did not answer')

/** Prepared statements to keep. Only a statement over a list, such as the one that adds counts, has more than one text. */
const MOST_STATEMENTS = 200

interface Prepared {
  readonly statement: Statement
  readonly names: readonly string[]
}

/**
 * Runs statements on one connection and compiles each of them once; the tables must not change meanwhile.
 *
 * `openTransaction` returns a promise that resolves at the end of the open transaction, or null if none is open. Reads on
 * the connection that also writes wait for it, since they would see uncommitted rows.
 */
export function sqliteSql(database: Database): (openTransaction?: () => Promise<void> | null) => Sql {
  const prepare = makeOnce(boundedCache<Prepared>(MOST_STATEMENTS), (text: string): Prepared => {
    const { sql, names } = positional(text, () => '?')
    return { statement: database.prepare(sql), names }
  })
  const run = (text: string, values: Values) => {
    const { statement, names } = prepare(text)
    const given = names.map((name) => values[name])
    return statement.reader
      ? { rows: statement.all(given), changes: 0 }
      : { rows: [], changes: statement.run(given).changes }
  }
  return (openTransaction = () => null) => ({
    async rows<Row>(text: string, values: Values = {}) {
      for (let open = openTransaction(); open !== null; open = openTransaction()) await open
      return run(text, values).rows as Row[]
    },
    async changed(text, values = {}) {
      for (let open = openTransaction(); open !== null; open = openTransaction()) await open
      return run(text, values).changes
    },
  })
}
