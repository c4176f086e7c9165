import { boundedCache } from '../../bounded-cache.ts'

/** The limits that replicas share. */
export type SharedCounter = 'unpaid' | 'refused'

/** What one replica counted for one address in the current window. */
export interface PeerCount {
  readonly counter: SharedCounter
  /** Stands for the address; equal on every replica, and of no use without their key. */
  readonly name: string
  readonly hits: number
  /** Milliseconds until the window ends. */
  readonly leftMs: number
}

/** What other replicas counted; kept in memory until their windows end. */
export interface LimitPeers {
  /** Hits of all other replicas, and the milliseconds until the last of their windows ends; undefined without any. */
  of(counter: SharedCounter, name: string): { readonly hits: number; readonly leftMs: number } | undefined
  /** Replaces the counts a replica sent for these addresses. */
  note(replica: string, counts: readonly PeerCount[]): void
  /** Forgets windows that have ended. */
  prune(): void
  /** True before the first message of a replica: then no name needs to be computed. */
  readonly isEmpty: boolean
}

interface Said {
  readonly hits: number
  /** Milliseconds of the monotonic clock. */
  readonly until: number
}

/** Pairs of counter and address remembered; the oldest are forgotten first. */
const MOST_NAMES = 20_000

export function limitPeers(monotonicMs: () => number = () => performance.now()): LimitPeers {
  const names = boundedCache<Map<string, Said>>(MOST_NAMES)
  return {
    get isEmpty() {
      return names.size === 0
    },
    of(counter, name) {
      const replicas = names.peek(`${counter}/${name}`)
      if (replicas === undefined) return undefined
      const time = monotonicMs()
      const current = [...replicas.values()].filter(({ until }) => until > time)
      if (current.length === 0) return undefined
      return {
        hits: current.reduce((sum, { hits }) => sum + hits, 0),
        leftMs: Math.max(...current.map(({ until }) => until)) - time,
      }
    },
    prune() {
      const time = monotonicMs()
      for (const [key, replicas] of names)
        if ([...replicas.values()].every(({ until }) => until <= time)) names.delete(key)
    },
    note(replica, counts) {
      const time = monotonicMs()
      for (const { counter, name, hits, leftMs } of counts) {
        const key = `${counter}/${name}`
        const replicas = names.peek(key) ?? new Map<string, Said>()
        replicas.set(replica, { hits, until: time + leftMs })
        names.set(key, replicas)
      }
    },
  }
}
