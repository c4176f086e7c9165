import { selectChannels } from './channels/channels.ts'
import { selectCounts } from './figures/counts.ts'
import type { Ledger } from './ledger.ts'
import { selectSettled } from './payments/payment-lists.ts'
import { findFact } from './store/key-values.ts'
import { newerMigrations } from './store/migrations/migrate.ts'
import type { Sql } from './store/sql.ts'
import type { Guard } from './store/store-guard.ts'

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
