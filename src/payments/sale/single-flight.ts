import { inFlightMap } from '../../in-flight-map.ts'

export interface SingleFlight<T> {
  /**
   * Runs `lead` unless a run for this key is under way; then waits for that run.
   * `late` when it takes longer than the wait, `crowded` when too many callers wait for it or too many runs are under way.
   */
  run(key: string, lead: () => Promise<T>): Promise<FlightOutcome<T>>
}

export type FlightOutcome<T> =
  | { readonly kind: 'led'; readonly result: T }
  | { readonly kind: 'followed'; readonly result: T }
  | { readonly kind: 'late' }
  | { readonly kind: 'crowded' }

interface Flight<T> {
  readonly result: Promise<T>
  followers: number
}

/** Lets one run per key do the work while the others wait for its result; nothing outlives its run. */
export function createSingleFlight<T>(options: {
  readonly waitMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly mostFollowers: number
  /** Runs under way at once, over all keys. */
  readonly mostRuns: number
}): SingleFlight<T> {
  const flights = inFlightMap<Flight<T>>()
  return {
    async run(key, lead) {
      const flight = flights.get(key)
      if (flight === undefined) {
        if (flights.size() >= options.mostRuns) return { kind: 'crowded' }
        const result = lead()
        flights.set(key, { result, followers: 0 })
        try {
          return { kind: 'led', result: await result }
        } finally {
          flights.delete(key)
        }
      }
      if (flight.followers >= options.mostFollowers) return { kind: 'crowded' }
      flight.followers += 1
      const patience = new AbortController()
      const late = options.sleep(options.waitMs, patience.signal).then(() => 'late' as const)
      late.catch(() => {})
      try {
        const first = await Promise.race([flight.result.then((result) => ({ result })), late])
        return first === 'late' ? { kind: 'late' } : { kind: 'followed', result: first.result }
      } finally {
        patience.abort()
      }
    },
  }
}
