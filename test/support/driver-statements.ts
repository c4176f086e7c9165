import Database from 'better-sqlite3'
import { vi } from 'vitest'

/**
 * Calls `before` each time a statement with this text runs that is prepared from now on; what it throws, the statement
 * throws. Returns a function that ends this.
 */
export function beforeStatement(text: string, before: (database: Database.Database) => void): () => void {
  const prepare = Database.prototype.prepare
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    const statement = prepare.call(this, sql)
    if (!sql.includes(text)) return statement
    for (const name of ['run', 'get', 'all'] as const) {
      const method = statement[name].bind(statement) as (...values: unknown[]) => unknown
      const value = (...values: unknown[]) => {
        before(this)
        return method(...values)
      }
      Object.defineProperty(statement, name, { value })
    }
    return statement
  } as typeof prepare)
  return () => spy.mockRestore()
}

/** Whether each commit of the stores that are opened from now on is flushed. */
export function watchCommits(): { readonly flushed: boolean[]; readonly end: () => void } {
  const flushed: boolean[] = []
  const FULL = 2
  const end = beforeStatement('commit', (database) => {
    flushed.push(database.pragma('synchronous', { simple: true }) === FULL)
  })
  return { flushed, end }
}
