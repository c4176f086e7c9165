import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { LedgerReader } from '../../ledger/ledger-reader.ts'
import { openPostgresReader } from '../../ledger/postgres/postgres-reader.ts'
import { openSqliteReader } from '../../ledger/sqlite/sqlite-reader.ts'
import { UsageError } from '../command-line/usage-error.ts'

/** Opens the ledger of the configured service for reading, also while the service runs. */
export async function openLedgerReader(config: Config): Promise<LedgerReader> {
  if (config.mode === 'live' && config.store.kind === 'postgres') return openPostgresReader(config.store.url)
  const dataDir =
    config.mode === 'live' && config.store.kind === 'sqlite' ? config.store.dataDir : sandboxLedgerDir(config)
  const reader = dataDir === null ? null : openSqliteReader({ dataDir })
  if (reader === null)
    throw new UsageError(
      'no store found that this user may read: set DATA_DIR or DATABASE_URL to those of the service',
    )
  return reader
}

/** A sandbox keeps one store per chain; the one written last belongs to its present chain. */
function sandboxLedgerDir(config: Config): string | null {
  if (config.mode !== 'sandbox' || config.dataDir === null) return null
  const { dataDir } = config
  const stores = namesIn(dataDir)
    .filter((name) => name.startsWith('ledger-'))
    .map((name) => join(dataDir, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return stores[0] ?? null
}

/** Nothing for a folder that is missing or that this user may not read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
