import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Ledger } from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { selectChannels } from '../statements/channels.ts'
import { selectCounts } from '../statements/counts.ts'
import { selectSettled } from '../statements/payment-lists.ts'
import { guardWith } from '../store-guard.ts'

/** What an operator's books are read from. */
export type LedgerReader = Pick<Ledger, 'settled' | 'counts' | 'listChannels' | 'close'>

/** How long a statement waits for another connection's lock before it gives up. */
const BUSY_TIMEOUT_MS = 2_000

const guard = guardWith('the SQLite store did not answer')

/**
 * Reads the embedded store in `dataDir` beside the process that writes it: the write-ahead log lets both go on, so no
 * lock file is taken and nothing is migrated. Null when there is no store.
 */
export function openSqliteReader({ dataDir }: { readonly dataDir: string }): LedgerReader | null {
  const file = join(dataDir, 'ledger.sqlite')
  if (!existsSync(file)) return null
  const database = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
  return {
    settled: (from, to, limit, after) => guard(() => selectSettled(db, from, to, limit, after)),
    counts: (from, to) => guard(() => selectCounts(db, from, to)),
    listChannels: (limit, after) => guard(() => selectChannels(db, limit, after)),
    close: async () => {
      await db.destroy()
      // Kysely closes only what it has opened by a first query.
      database.close()
    },
  }
}
