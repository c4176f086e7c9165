import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { readFrames } from './wal-frames.ts'

/** A flush that takes longer moves to another thread, so that the event loop stays free. */
const LONGEST_ON_LOOP_MS = 2
/** After a long flush, this many run in another thread before the event loop tries the disk again. */
const BESIDE_AFTER_LONG = 100

/** Tests replace them. */
export interface FlushCalls {
  readonly sync: (file: number) => void
  readonly async: (file: number, done: (error: Error | null) => void) => void
  /** Writes the log again in its place. */
  readonly write: (file: number, log: Buffer) => void
  readonly monotonicMs: () => number
}

const SYSTEM: FlushCalls = {
  sync: fdatasyncSync,
  async: fdatasync,
  write: (file, log) => void writeSync(file, log, 0, log.length, 0),
  monotonicMs: () => performance.now(),
}

export interface LogFlush {
  /** See `WriteConnection.flush`. */
  flush(): Promise<void> | undefined
  /** Repairs the log if a flush of it failed; throws if it cannot. Must come before a transaction. */
  mend(): void
  /** Flushes the log and runs the checkpoint; does neither while another flush is running. */
  checkpoint(run: () => void): void
  /** Does nothing the second time. */
  close(): void
}

/**
 * Flushes SQLite's write-ahead log in place of SQLite. With `synchronous = NORMAL` a commit appends to the log without a
 * flush, and a crash keeps the log up to its last whole frame (sqlite.org/wal.html). So every commit before a flush is
 * durable after it, as with `FULL`, and the flush can run in another thread. A fast disk is flushed on the event loop,
 * since a change of threads takes longer than such a flush.
 *
 * After a failed flush the system takes pages for written that are not on the disk, so a later flush alone leaves a hole in
 * the log, and a checkpoint over it could damage the database. So the whole log is written again in its place, and flushed,
 * before anything else. `frames` tells how many frames it has.
 */
export function openLogFlush(path: string, frames: () => number, calls: Partial<FlushCalls> = {}): LogFlush {
  const { sync, async, write, monotonicMs } = { ...SYSTEM, ...calls }
  const file = openSync(path, 'r+')
  let isOpen = true
  let hasHole = false
  let isRunning = false
  // The first flush shows how fast the disk is.
  let beside = 1

  const took = (begun: number) => {
    if (monotonicMs() - begun > LONGEST_ON_LOOP_MS) beside = BESIDE_AFTER_LONG
  }
  const flushBeside = (begun: number) =>
    new Promise<void>((resolve, reject) => {
      beside -= 1
      isRunning = true
      async(file, (error) => {
        isRunning = false
        took(begun)
        if (error === null) return resolve()
        hasHole = true
        reject(error)
      })
    })
  const flushHere = () => {
    hasHole = true
    sync(file)
    hasHole = false
  }
  const mend = (): undefined => {
    if (!hasHole) return
    write(file, readFrames(file, frames()))
    flushHere()
  }

  return {
    flush() {
      if (hasHole) return mend()
      const begun = monotonicMs()
      if (beside > 0) return flushBeside(begun)
      flushHere()
      took(begun)
      return undefined
    },
    mend,
    checkpoint(run) {
      if (isRunning) return
      flushHere()
      run()
    },
    close() {
      // After the first close the descriptor may be another file's.
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}
