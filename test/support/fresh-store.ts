import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'

const MEMORY = '/dev/shm'
const FILE = 'ledger.sqlite'

/** A new folder for the files of a store, in memory if the system has room for that: flushing is most of a test's wait. */
export const storeFolder = (name: string): string => mkdtempSync(join(place(), `format-checker-${name}-`))

/** An embedded store in a new folder; the caller closes it and removes the folder. */
export async function openFreshStore(
  name: string,
  now?: () => number,
): Promise<{ readonly ledger: Ledger; readonly dataDir: string }> {
  const dataDir = storeFolder(name)
  emptyStore ??= makeEmptyStore()
  writeFileSync(join(dataDir, FILE), await emptyStore)
  const ledger = await openSqliteLedger({ dataDir, ...(now && { now }) })
  return { ledger, dataDir }
}

/** The file of a store with its tables and no rows: making the tables is most of what a new store costs. */
let emptyStore: Promise<Buffer> | undefined

async function makeEmptyStore(): Promise<Buffer> {
  const dataDir = storeFolder('empty')
  await (await openSqliteLedger({ dataDir })).close()
  const bytes = readFileSync(join(dataDir, FILE))
  rmSync(dataDir, { recursive: true })
  return bytes
}

function place(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    return MEMORY
  } catch {
    return tmpdir()
  }
}
