import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { StoreUnavailable } from '../store/store-unavailable.ts'

/** Byte of the header that tells how the file is written (sqlite.org/fileformat.html). */
const WRITE_VERSION_AT = 18
const WRITE_AHEAD = 2

/**
 * Throws if a write-ahead log lies beside a database that never used one: a backup was restored over the store of a
 * killed process, and SQLite would mix the two. Call it before the database is opened, because closing the file drops
 * this process's own locks on it.
 */
export function refuseForeignLog(file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log === undefined || log.size === 0) return
  const version = writeVersion(file)
  if (version === null || version === WRITE_AHEAD) return
  throw new StoreUnavailable(
    'DATA_DIR: ledger.sqlite was replaced, and ledger.sqlite-wal belongs to the one before; remove ledger.sqlite-wal and ledger.sqlite-shm',
  )
}

/** Null for an empty file. */
function writeVersion(file: string): number | null {
  const byte = Buffer.alloc(1)
  const descriptor = openSync(file, 'r')
  try {
    return readSync(descriptor, byte, 0, 1, WRITE_VERSION_AT) === 1 ? byte.readUInt8() : null
  } finally {
    closeSync(descriptor)
  }
}
