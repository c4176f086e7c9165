import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { run } from './postgres.ts'

const STATEMENTS = readFileSync(join(import.meta.dirname, 'unreleased-store.sql'), 'utf8')

/** Lays a store from before the first release into a directory. */
export function layUnreleasedStore(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const database = new Database(join(dataDir, 'ledger.sqlite'))
  database.exec(STATEMENTS)
  database.close()
}

/** Lays the same store into an empty database. */
export const layUnreleasedTables = (url: string) => run(url, STATEMENTS.replaceAll(/\bblob\b/g, 'bytea'))

export const UNRELEASED =
  'this store was written before the first release; start with an empty DATA_DIR or database'
