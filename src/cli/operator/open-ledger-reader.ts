import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../command-line/usage-error.ts'
import type { StoreConfig } from '../../config/store.ts'
import type { Config } from '../../config.ts'
import type { LedgerReader } from '../../ledger/ledger.ts'
import { openPostgresReader } from '../../ledger/postgres/postgres-reader.ts'
import { openSqliteReader } from '../../ledger/sqlite/sqlite-reader.ts'
import { UNRELEASED_STORE } from '../../ledger/store/migrations/migrate.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'

/** Opens the ledger of the configured service for reading, also while the service runs; throws StoreUnavailable for one from before the first release. */
export async function openLedgerReader(config: Config): Promise<LedgerReader> {
  const reader =
    config.mode === 'live' ? await openStoreReader(config.store) : openSandboxReader(config.dataDir)
  if (reader === null)
    throw new UsageError(
      'no store found that this user may read: set DATA_DIR or DATABASE_URL to those of the service',
    )
  if ((await reader.schemaAge()) === 'unreleased') {
    await reader.close()
    throw new StoreUnavailable(UNRELEASED_STORE)
  }
  return reader
}

/** Opens the store of live mode; null if its directory has no store. */
export const openStoreReader = async (store: StoreConfig): Promise<LedgerReader | null> =>
  store.kind === 'sqlite' ? openSqliteReader(store) : openPostgresReader(store.url)

/** A sandbox keeps one store per chain; the one written last belongs to its present chain. */
function openSandboxReader(folder: string | null): LedgerReader | null {
  if (folder === null) return null
  const [dataDir] = namesIn(folder)
    .filter((name) => name.startsWith('ledger-'))
    .map((name) => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return dataDir === undefined ? null : openSqliteReader({ dataDir })
}

/** Empty for a folder that is missing or that this user may not read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
