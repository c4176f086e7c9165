interface Connection {
  destroy(): unknown
}

export interface Place {
  readonly note: () => void
  readonly leave: () => void
}

/**
 * A client that asks nothing for `idleMs` is disconnected; if all places are taken, a new one gets that of the longest
 * silent. The oldest client keeps its place as long as it asks.
 */
export function connectionPlaces(most: number, idleMs: number): { take(connection: Connection): Place } {
  /** Oldest first. */
  const taken = new Map<Connection, { at: number }>()
  const quietest = () => {
    const [, ...others] = taken
    return others.reduce((one, other) => (other[1].at < one[1].at ? other : one))[0]
  }
  return {
    take(connection) {
      if (taken.size >= most) {
        const out = quietest()
        taken.delete(out)
        out.destroy()
      }
      const seen = { at: performance.now() }
      taken.set(connection, seen)
      const idle = setTimeout(() => connection.destroy(), idleMs).unref()
      return {
        note() {
          seen.at = performance.now()
          idle.refresh()
        },
        leave() {
          clearTimeout(idle)
          taken.delete(connection)
        },
      }
    },
  }
}
