import type { Database, Statement } from 'better-sqlite3'
import { boundedCache } from '../../caches/bounded-cache.ts'
import { makeOnce } from '../../caches/memoize.ts'
import { positional, type Sql, type Values } from '../store/sql.ts'
import { guardWith } from '../store/store-guard.ts'
import type { Touch } from './failed-flush.ts'

export const BUSY_TIMEOUT_MS = 2_000

export const guarded = guardWith('the SQLite store did not answer')

/** Prepared statements to keep. Only a statement over a list, such as the one that adds counts, has more than one text. */
const MOST_STATEMENTS = 200

interface Writes {
  /** Resolves when the open transaction ends; null between transactions. */
  readonly transaction: Promise<void> | null
}

const NONE: Writes = { transaction: null }

interface Prepared {
  readonly statement: Statement
  readonly names: readonly string[]
}

/**
 * Compiles each statement once; the tables must not change meanwhile. Reads wait for the connection's open transaction,
 * since they would see uncommitted rows.
 */
export function sqliteSql(database: Database, touch: Touch = (act) => act()): (writes?: Writes) => Sql {
  const prepare = makeOnce(boundedCache<Prepared>(MOST_STATEMENTS), (text: string): Prepared => {
    const { sql, names } = positional(text, () => '?')
    return { statement: database.prepare(sql), names }
  })
  const run = (text: string, values: Values) =>
    touch(() => {
      const { statement, names } = prepare(text)
      const given = names.map((name) => values[name])
      return statement.reader
        ? { rows: statement.all(given), changes: 0 }
        : { rows: [], changes: statement.run(given).changes }
    })
  return (writes = NONE) => ({
    async rows<Row>(text: string, values: Values = {}) {
      while (writes.transaction !== null) await writes.transaction
      return run(text, values).rows as Row[]
    },
    async changed(text, values = {}) {
      while (writes.transaction !== null) await writes.transaction
      return run(text, values).changes
    },
  })
}
