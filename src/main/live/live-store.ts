import type { StoreConfig } from '../../config/store.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { prepareDataDir } from '../data-dir.ts'

/** Opens the store of live mode, its schema brought up to date. Loads its driver and not the other one's. */
export async function openLiveStore(store: StoreConfig): Promise<Ledger> {
  if (store.kind === 'postgres') {
    const { openPostgresLedger } = await import('../../ledger/postgres/postgres-ledger.ts')
    return openPostgresLedger({ url: store.url })
  }
  const { openSqliteLedger } = await import('../../ledger/sqlite/sqlite-ledger.ts')
  prepareDataDir(store.dataDir)
  return openSqliteLedger({ dataDir: store.dataDir })
}
