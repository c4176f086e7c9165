import { COMMANDS } from '../../command-line/commands.ts'
import { NOT_DONE } from '../../command-line/exit-codes.ts'
import { parseArguments } from '../../command-line/parse-arguments.ts'
import { UsageError } from '../../command-line/usage-error.ts'
import { ConfigError, readConfig } from '../../config.ts'
import { DataDirInUse } from '../../files/lock-file.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { openLiveStore } from '../../main/live/live-store.ts'

const IN_USE = 'A service runs on this DATA_DIR; it updated its store when it started.'

/** `migrate`: updates the schema of the configured store, as each start does. */
export async function migrate(args: readonly string[]): Promise<number> {
  const { json, quiet } = parseArguments(COMMANDS.migrate, args).values
  try {
    const config = readConfig()
    if (config.mode !== 'live') throw new UsageError('migrate needs the settings of a live service')
    const store = await openLiveStore(config)
    await store.close()
    if (json) console.log(JSON.stringify({ store: 'up_to_date' }))
    else if (!quiet) console.log('The store is up to date.')
    return 0
  } catch (error) {
    const isInUse = error instanceof DataDirInUse
    if (!(isInUse || error instanceof ConfigError || error instanceof StoreUnavailable)) throw error
    console.error(isInUse ? IN_USE : error.message)
    return NOT_DONE
  }
}
