import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs'
import { StoreUnavailable } from '../store/store-unavailable.ts'

const PIECE_BYTES = 1 << 20

export interface FileCalls {
  readonly read: (file: number, piece: Buffer, at: number) => number
  readonly write: (file: number, bytes: Buffer, at: number) => number
  readonly flush: (file: number) => void
}

const SYSTEM: FileCalls = {
  read: (file, piece, at) => readSync(file, piece, 0, piece.length, at),
  write: (file, bytes, at) => writeSync(file, bytes, 0, bytes.length, at),
  flush: fdatasyncSync,
}

/**
 * Writes a log again in its place and flushes it. After a failed flush the system takes pages for written that are not
 * on the disk, and SQLite would append behind such a hole. Throws {@link StoreUnavailable} if the disk fails. A missing
 * or empty log is left alone.
 */
export function rewriteLog(path: string, calls: FileCalls = SYSTEM): void {
  try {
    const file = openSync(path, 'r+')
    try {
      rewrite(file, calls)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new StoreUnavailable('DATA_DIR: ledger.sqlite-wal cannot be written and flushed', { cause: error })
  }
}

function rewrite(file: number, { read, write, flush }: FileCalls): void {
  const piece = Buffer.alloc(PIECE_BYTES)
  let at = 0
  for (let length = read(file, piece, at); length > 0; length = read(file, piece, at)) {
    for (let rest = piece.subarray(0, length); rest.length > 0; ) {
      const written = write(file, rest, at)
      rest = rest.subarray(written)
      at += written
    }
  }
  if (at > 0) flush(file)
}
