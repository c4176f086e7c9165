import type { StoreConfig } from '../../config/store.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Network } from '../../payments/networks/network.ts'
import { DEFAULT_NETWORK, NETWORKS, refuseMixed } from '../../payments/networks/networks.ts'
import type { NonEmpty } from '../../values/non-empty.ts'
import { prepareDataDir } from '../data-dir.ts'
import { endCommand } from '../end-on-failed-flush.ts'

export interface StoreOptions extends Pick<LiveConfig, 'store' | 'allowStoreOf'> {
  readonly chain: Pick<LiveConfig['chain'], 'network'>
  /** Null if they are off. */
  readonly channels: object | null
}

/**
 * Opens the store of live mode. Throws {@link ConfigError} for one that holds payments of a network that is neither sold
 * on nor allowed.
 */
export async function openLiveStore(
  options: StoreOptions,
  others: readonly Network[] = [],
  onFailedFlush: () => void = endCommand,
): Promise<Ledger> {
  const ledger = await openStore(options.store, onFailedFlush)
  try {
    await checkStoreNetworks(ledger, options, [options.chain.network, ...others])
    return ledger
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/**
 * The fact `network` names the networks of a store, so that real money and test money never mix. A store without it is
 * of the network of its first payment, or of Base if it holds channels.
 */
async function checkStoreNetworks(
  ledger: Ledger,
  { allowStoreOf: allowed, channels: opened }: StoreOptions,
  networks: NonEmpty<Network>,
): Promise<void> {
  const [{ name, isRealMoney }] = networks
  refuseMixed(networks)
  const ids = networks.map(({ id }) => id)
  const [sold] = await ledger.settled(0, Number.MAX_SAFE_INTEGER, 1)
  const [open] = await ledger.unresolved(Number.MAX_SAFE_INTEGER, 1)
  const { channels } = await ledger.channelTotals(ledger.clock.now())
  const first = (sold ?? open)?.network ?? (channels > 0 ? DEFAULT_NETWORK.id : ids.join(' '))
  const fact = await ledger.ensureFact('network', first)
  const strange = strangersIn(fact, networks)
  const canAllow = NETWORKS.some((each) => each.isRealMoney === isRealMoney && strange.includes(each.id))
  if (strangersIn(fact, [...networks, allowed]).length > 0)
    throw new ConfigError([
      `NETWORK: is ${name}, and the store holds payments of another network; give each network a store of its own${canAllow ? ', or name the other second in NETWORK' : ''}`,
    ])
  // A channel does not say which network it is on.
  if (strange.length > 0 && (opened !== null || channels > 0))
    throw new ConfigError(['NETWORK: a store of several networks holds no payment channels'])
  const all = [...new Set([...fact.split(' '), ...ids])].join(' ')
  const written = all === fact ? fact : await ledger.replaceFact('network', fact, all)
  if (written !== all)
    throw new ConfigError(['NETWORK: another process opened the store at the same time; start again'])
}

export const strangersIn = (fact: string, networks: readonly (Network | null)[]): readonly string[] =>
  fact.split(' ').filter((id) => networks.every((network) => network?.id !== id))

/** Also updates the schema. Loads only the driver that the store needs. */
async function openStore(store: StoreConfig, onFailedFlush: () => void): Promise<Ledger> {
  if (store.kind === 'postgres') {
    const { openPostgresLedger } = await import('../../ledger/postgres/postgres-ledger.ts')
    return openPostgresLedger({ url: store.url })
  }
  const { openSqliteLedger } = await import('../../ledger/sqlite/sqlite-ledger.ts')
  prepareDataDir(store.dataDir)
  return openSqliteLedger({ dataDir: store.dataDir, onFailedFlush })
}
