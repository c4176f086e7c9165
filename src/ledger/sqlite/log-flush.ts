import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

/** A flush that takes longer moves to another thread, so that the event loop stays free. */
const LONGEST_ON_LOOP_MS = 2
/** After a long flush, this many run in another thread before the event loop tries the disk again. */
const BESIDE_AFTER_LONG = 100

/** Tests replace them. */
export interface FlushCalls {
  readonly sync: (file: number) => void
  readonly async: (file: number, done: (error: Error | null) => void) => void
  readonly monotonicMs: () => number
}

const SYSTEM: FlushCalls = {
  sync: fdatasyncSync,
  async: fdatasync,
  monotonicMs: () => performance.now(),
}

export interface LogFlush {
  /** See `WriteConnection.flush`. */
  flush(): Promise<void> | undefined
  /** Does nothing the second time. */
  close(): void
}

/**
 * Flushes SQLite's write-ahead log in place of SQLite. With `synchronous = NORMAL` a commit appends to the log without a
 * flush, and a crash keeps the log up to its last whole frame (sqlite.org/wal.html). So every commit before a flush is
 * durable after it, as with `FULL`, and the flush can run in another thread. A fast disk is flushed on the event loop,
 * since a change of threads takes longer than such a flush.
 *
 * A failed flush may have dropped frames, and later ones would follow a hole. So nothing counts as flushed until `restart`
 * has moved the whole log into the database and begun a new one; `restart` throws if it cannot.
 */
export function openLogFlush(path: string, restart: () => void, calls: FlushCalls = SYSTEM): LogFlush {
  const { sync, async, monotonicMs } = calls
  const file = openSync(path, 'r+')
  let isOpen = true
  let hasHole = false
  // The first flush shows how fast the disk is.
  let beside = 1

  const took = (begun: number) => {
    if (monotonicMs() - begun > LONGEST_ON_LOOP_MS) beside = BESIDE_AFTER_LONG
  }
  const flushBeside = (begun: number) =>
    new Promise<void>((resolve, reject) => {
      beside -= 1
      async(file, (error) => {
        took(begun)
        if (error === null) return resolve()
        hasHole = true
        reject(error)
      })
    })

  return {
    flush() {
      if (hasHole) {
        restart()
        hasHole = false
        return undefined
      }
      const begun = monotonicMs()
      if (beside > 0) return flushBeside(begun)
      try {
        sync(file)
      } catch (error) {
        hasHole = true
        throw error
      }
      took(begun)
      return undefined
    },
    close() {
      // After the first close the descriptor may be another file's.
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}
