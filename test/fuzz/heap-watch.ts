import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a process still holds after everything that can go is gone. */
export interface Held {
  /** Bytes of the heap. */
  readonly heap: number
  /** Open handles: sockets, timers, files. */
  readonly handles: number
  /** Open files of the process, as the system counts them. */
  readonly files: number
}

/** Looks at this process, after a collection of garbage. */
export function heapWatch(): () => Held {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return () => {
    collect()
    return {
      heap: process.memoryUsage().heapUsed,
      handles: process.getActiveResourcesInfo().length,
      files: readdirSync('/proc/self/fd').length,
    }
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
