import { ConfigError, type StoreConfig } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openPostgresLedger } from '../ledger/postgres-ledger.ts'
import { openSqliteLedger } from '../ledger/sqlite-ledger.ts'
import { readReceiptKey } from '../payments/extensions/receipt-key.ts'
import { readCardKey } from '../surfaces/a2a/card-key.ts'
import { prepareDataDir } from './data-dir.ts'

/** Opens the store of live mode, its schema brought up to date. */
export async function openLiveStore(store: StoreConfig): Promise<Ledger> {
  if (store.kind === 'postgres') return openPostgresLedger({ url: store.url })
  prepareDataDir(store.dataDir)
  return openSqliteLedger({ dataDir: store.dataDir })
}

/** Reads the keys that are given; throws {@link ConfigError} with a line for each that is none, never quoting it. */
export function checkGivenKeys({ cardKey, receiptKey }: StoreConfig): void {
  const faults = [
    ...faultOf('CARD_KEY', cardKey, readCardKey),
    ...faultOf('RECEIPT_KEY', receiptKey, readReceiptKey),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
}

function faultOf(name: string, key: string | null, read: (key: string) => unknown): string[] {
  if (key === null) return []
  try {
    read(key)
    return []
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}
