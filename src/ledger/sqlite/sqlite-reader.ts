import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type LedgerReader, ledgerReader } from '../ledger-reader.ts'
import { guardWith } from '../store-guard.ts'
import { sqliteSql } from './sqlite-sql.ts'

/** How long a statement waits for another connection's lock before it gives up. */
const BUSY_TIMEOUT_MS = 2_000

const guard = guardWith('the SQLite store did not answer')

/**
 * Reads the embedded store in `dataDir` while another process may write it (WAL allows both), so it takes no lock file
 * and migrates nothing. Null when there is no store.
 */
export function openSqliteReader({ dataDir }: { readonly dataDir: string }): LedgerReader | null {
  const file = join(dataDir, 'ledger.sqlite')
  if (!existsSync(file)) return null
  const database = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  return ledgerReader(sqliteSql(database)(), guard, async () => void database.close())
}
