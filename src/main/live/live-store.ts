import type { StoreConfig } from '../../config/store.ts'
import { ConfigError } from '../../config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Network } from '../../payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../payments/networks/networks.ts'
import { prepareDataDir } from '../data-dir.ts'

/** Opens the store of live mode, which must be one of its network; throws {@link ConfigError} for another's. */
export async function openLiveStore({
  store,
  network,
}: {
  readonly store: StoreConfig
  readonly network: Network
}): Promise<Ledger> {
  const ledger = await openStore(store)
  try {
    await checkStoreNetwork(ledger, network)
    return ledger
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/**
 * A store belongs to the first network it was opened for, so that real money and test money never mix. Before stores said
 * so there was Base alone, and one with a sale is of the network of that sale.
 */
async function checkStoreNetwork(ledger: Ledger, { id, name }: Network): Promise<void> {
  const [sold] = await ledger.settled(0, Number.MAX_SAFE_INTEGER, 1)
  const [open] = await ledger.unresolved(Number.MAX_SAFE_INTEGER, 1)
  const { channels } = await ledger.channelTotals(ledger.clock.now())
  const held = (sold ?? open)?.network ?? (channels > 0 ? DEFAULT_NETWORK.id : id)
  if ((await ledger.ensureFact('network', held)) === id) return
  throw new ConfigError([
    `NETWORK: is ${name}, and the store holds payments of another network; give each network a store of its own`,
  ])
}

/** Its schema is brought up to date. Loads its driver and not the other one's. */
async function openStore(store: StoreConfig): Promise<Ledger> {
  if (store.kind === 'postgres') {
    const { openPostgresLedger } = await import('../../ledger/postgres/postgres-ledger.ts')
    return openPostgresLedger({ url: store.url })
  }
  const { openSqliteLedger } = await import('../../ledger/sqlite/sqlite-ledger.ts')
  prepareDataDir(store.dataDir)
  return openSqliteLedger({ dataDir: store.dataDir })
}
