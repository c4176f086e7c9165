import type { Database, Statement } from 'better-sqlite3'
import { positional, type Sql, type Values } from '../sql.ts'

/** Most statements kept; only those that grow with what they hold, as counts do, have more than a few forms. */
const MOST_STATEMENTS = 200

interface Prepared {
  readonly statement: Statement
  readonly names: readonly string[]
}

/**
 * Compiles each statement of one connection once; the tables must not change meanwhile. SQLite answers before a call
 * returns, so there is no queue.
 *
 * Returns what runs them. A reader on the connection that writes waits for the open transaction, so that nothing
 * uncommitted is read: `openTransaction` resolves when that ends, and is null if none is open.
 */
export function sqliteSql(database: Database): (openTransaction?: () => Promise<void> | null) => Sql {
  const kept = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const { sql, names } = positional(text, () => '?')
    const prepared = { statement: database.prepare(sql), names }
    if (kept.size >= MOST_STATEMENTS) kept.delete(kept.keys().next().value as string)
    kept.set(text, prepared)
    return prepared
  }
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
