import { type LedgerReader, ledgerReader } from '../ledger.ts'
import { guardWith } from '../store/store-guard.ts'
import { openPool } from './postgres-pool.ts'
import { postgresSql } from './postgres-sql.ts'
import { requirePostgresUrl, withoutPassword } from './postgres-url.ts'

const WAIT_MS = 5_000
/** A page of sales is read in milliseconds, on a busy server in seconds. */
const STATEMENT_MS = 60_000

/**
 * Works on a standby too, and migrates nothing. Rejects if there is no store. Errors name DATABASE_URL without the
 * password.
 */
export async function openPostgresReader(url: string): Promise<LedgerReader> {
  requirePostgresUrl(url)
  const guarded = guardWith(`DATABASE_URL (${withoutPassword(url)}): the store could not be read`)
  const settings = { statement_timeout: STATEMENT_MS, default_transaction_read_only: 'on' }
  const pool = openPool({ url, max: 1, waitMs: WAIT_MS, replyMs: STATEMENT_MS, settings })
  const db = postgresSql(pool)
  const reader = ledgerReader(
    guarded((work) => work(db)),
    () => pool.end(),
  )
  try {
    await reader.settled(0, 0, 1)
    return reader
  } catch (error) {
    await reader.close()
    throw error
  }
}
