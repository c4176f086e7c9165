import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openPostgresLedger } from '../ledger/postgres/postgres-ledger.ts'
import { type LedgerReader, openSqliteReader } from '../ledger/sqlite/sqlite-reader.ts'
import { UsageError } from './usage-error.ts'

/** Opens the books of the configured service to read them, also while it runs; throws {@link UsageError} without any. */
export async function openBooks(config: Config): Promise<LedgerReader> {
  if (config.mode === 'live' && config.store.kind === 'postgres') {
    return openPostgresLedger({ url: config.store.url, poolSize: 1 })
  }
  const dataDir =
    config.mode === 'live' && config.store.kind === 'sqlite' ? config.store.dataDir : sandboxBooks(config)
  const reader = dataDir === null ? null : openSqliteReader({ dataDir })
  if (reader === null)
    throw new UsageError('there are no books: set DATA_DIR or DATABASE_URL as the service has them')
  return reader
}

/** A sandbox keeps one store per chain; the one written last is that of its present chain. */
function sandboxBooks(config: Config): string | null {
  if (config.mode !== 'sandbox' || config.dataDir === null) return null
  const { dataDir } = config
  const stores = readdirSync(dataDir)
    .filter((name) => name.startsWith('ledger-'))
    .map((name) => join(dataDir, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return stores[0] ?? null
}
