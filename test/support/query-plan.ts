import type { Database } from 'better-sqlite3'

/** The steps in which SQLite would run a statement, whatever its parameters. */
export function planOf(database: Database, text: string): readonly string[] {
  const parameters = Array.from({ length: text.split('?').length - 1 }, () => 1)
  const steps = database.prepare(`explain query plan ${text}`).all(...parameters) as { detail: string }[]
  return steps.map(({ detail }) => detail)
}
