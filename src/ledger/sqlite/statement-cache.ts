import type { Database, Statement } from 'better-sqlite3'
import type { DirectDatabase } from './direct-executor.ts'

/** Most statements kept; only counts and batches, whose statements grow with what they hold, have more than one form. */
const MOST_STATEMENTS = 200

/** A database for Kysely's driver that compiles each statement once. */
export interface StatementCache extends DirectDatabase {
  /** Recompiles everything from here on; must be called after the tables have changed. */
  forget(): void
}

/** Keeps the statements of a connection by their text; the oldest goes first. */
export function cacheStatements(database: Database): StatementCache {
  const kept = new Map<string, Statement>()
  return {
    prepare(sql) {
      const known = kept.get(sql)
      if (known !== undefined) return known
      const statement = database.prepare(sql)
      if (kept.size >= MOST_STATEMENTS) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      return statement
    },
    get inTransaction() {
      return database.inTransaction
    },
    forget: () => kept.clear(),
    close: () => database.close(),
  }
}
