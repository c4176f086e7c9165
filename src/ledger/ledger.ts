import { channelStore } from './channels/channel-store.ts'
import { selectChannels } from './channels/channels.ts'
import { selectCounts } from './figures/counts.ts'
import { figureStore } from './figures/figure-store.ts'
import { selectSettled } from './payments/payment-lists.ts'
import { paymentStore } from './payments/payment-store.ts'
import { findFact, keyValueStore } from './store/key-values.ts'
import { lockStore } from './store/locks.ts'
import { type SchemaAge, schemaAge } from './store/migrations/migrate.ts'
import { bind, type LedgerClock, type Run, type Store, type StoreLoad } from './store/store.ts'
import { taskStore } from './tasks/task-store.ts'
import { treasuryStore } from './treasury/treasury-store.ts'

/**
 * What must survive a crash or reach another replica: SQLite for one process, or PostgreSQL for several. Every method
 * rejects with `StoreUnavailable` and nothing else that a caller could cause. What a method waits for is in its type.
 * Times are UTC milliseconds unless a name says otherwise.
 */
export interface Ledger extends ReturnType<typeof portsOver> {
  readonly clock: LedgerClock
  readonly load: StoreLoad
  /** A success is remembered for a few seconds; rejects with the error of the write. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

export const portsOver = (store: Store) => ({
  ...paymentStore(store),
  ...taskStore(store),
  ...channelStore(store),
  ...treasuryStore(store),
  ...figureStore(store),
  ...lockStore(store),
  ...keyValueStore(store),
})

export interface LedgerReader
  extends Pick<Ledger, 'settled' | 'counts' | 'listChannels' | 'findFact' | 'close'> {
  schemaAge(): Promise<SchemaAge>
}

/** `run` should use a connection that cannot write. */
export function ledgerReader(run: Run, close: () => Promise<void>): LedgerReader {
  const read = bind<'read'>(run)
  return {
    settled: read(selectSettled),
    counts: read(selectCounts),
    listChannels: read(selectChannels),
    findFact: read(findFact),
    schemaAge: read(schemaAge),
    close,
  }
}
