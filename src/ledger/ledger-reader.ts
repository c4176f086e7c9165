import type { Ledger } from './ledger.ts'
import { newerMigrations } from './migrations/migrate.ts'
import type { Sql } from './sql.ts'
import { selectChannels } from './statements/channels.ts'
import { selectCounts } from './statements/counts.ts'
import { findFact } from './statements/facts.ts'
import { selectSettled } from './statements/payment-lists.ts'
import type { Guard } from './store-guard.ts'

export interface LedgerReader
  extends Pick<Ledger, 'settled' | 'counts' | 'listChannels' | 'findFact' | 'close'> {
  newerMigrations(): Promise<readonly string[]>
}

/** `db` should be a connection that cannot write. */
export const ledgerReader = (db: Sql, guard: Guard, close: () => Promise<void>): LedgerReader => ({
  settled: (from, to, limit, after) => guard(() => selectSettled(db, from, to, limit, after)),
  counts: (from, to) => guard(() => selectCounts(db, from, to)),
  listChannels: (limit, after) => guard(() => selectChannels(db, limit, after)),
  findFact: (name) => guard(() => findFact(db, name)),
  newerMigrations: () => guard(() => newerMigrations(db)),
  close,
})
