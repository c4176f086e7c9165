import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type LedgerReader, ledgerReader } from '../ledger.ts'
import { BUSY_TIMEOUT_MS, guarded, sqliteSql } from './sqlite-sql.ts'

/**
 * Reads while another process may write, which WAL allows. Takes no lock file, migrates nothing and leaves the log
 * alone, also that of a killed process: only the next start may move it. Beside a stopped store it leaves an empty log
 * and an index. Null without a store.
 */
export function openSqliteReader({ dataDir }: { readonly dataDir: string }): LedgerReader | null {
  const file = join(dataDir, 'ledger.sqlite')
  if (!existsSync(file)) return null
  const database = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  const db = sqliteSql(database)()
  return ledgerReader(
    guarded((work) => work(db)),
    async () => void database.close(),
  )
}
