import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type LedgerReader, ledgerReader } from '../ledger.ts'
import { BUSY_TIMEOUT_MS, guarded, sqliteSql } from './sqlite-sql.ts'

/**
 * Reads the embedded store in `dataDir` while another process may write it, which WAL allows. Takes no lock file and
 * migrates nothing. Null if there is no store.
 */
export function openSqliteReader({ dataDir }: { readonly dataDir: string }): LedgerReader | null {
  const file = join(dataDir, 'ledger.sqlite')
  if (!existsSync(file)) return null
  // A connection opened as `readonly` cannot remove the files of the WAL that it makes beside a store that is stopped.
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  database.pragma('query_only = on')
  const db = sqliteSql(database)()
  return ledgerReader(
    guarded((work) => work(db)),
    async () => void database.close(),
  )
}
