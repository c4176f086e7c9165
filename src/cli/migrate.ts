import { ConfigError, readConfig } from '../config.ts'
import { StoreUnavailable } from '../ledger/ledger.ts'
import { DataDirInUse } from '../ledger/sqlite/lock-file.ts'
import { openLiveStore } from '../main/live/live-store.ts'
import { UsageError } from './usage-error.ts'

/** `migrate`: brings the schema of the configured store up to date, as each start does. */
export async function migrate(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError('migrate has no options; the environment names the store')
  try {
    const config = readConfig()
    if (config.mode !== 'live') throw new UsageError('migrate needs the settings of a live service')
    const store = await openLiveStore(config.store)
    await store.close()
    console.log('The store is up to date.')
    return 0
  } catch (error) {
    if (error instanceof DataDirInUse) {
      console.error('A service runs on this DATA_DIR; it has brought its store up to date at its start.')
      return 1
    }
    if (!(error instanceof ConfigError) && !(error instanceof StoreUnavailable)) throw error
    console.error(error.message)
    return 1
  }
}
