import { inFlightMap } from '../../in-flight-map.ts'
import type { SaleTiming } from './table/sale-context.ts'

/** A request as far as others of its key are concerned. */
export interface Turn {
  /** Requests with the same key run one after the other. */
  readonly key: string
  /** Equal for copies of one request, which share its result; asked only while another request is under way. */
  readonly copy: () => string
  /** Milliseconds that it waits for requests of its key that are no copies of it. */
  readonly turnMs: number
}

export interface SingleFlight<T> {
  /**
   * Runs `lead` once no request of its key is under way; a copy of that one waits for its result instead. `late` if
   * either takes too long, or too many requests wait or are under way.
   */
  run(turn: Turn, lead: () => Promise<T>): Promise<FlightOutcome<T>>
}

export type FlightOutcome<T> =
  | { readonly kind: 'led' | 'followed'; readonly result: T }
  | { readonly kind: 'late' }

interface Flight<T> {
  readonly result: Promise<T>
  readonly copy: () => string
  followers: number
}

const LATE = { kind: 'late' } as const

/** Lets one request per key do the work while the others wait for it; nothing outlives its run. */
export function createSingleFlight<T>(options: {
  readonly timing: Pick<SaleTiming, 'waitMs' | 'sleep' | 'monotonicMs'>
  readonly mostFollowers: number
  /** Runs under way at once, over all keys. */
  readonly mostRuns: number
}): SingleFlight<T> {
  const { timing, mostFollowers, mostRuns } = options
  const flights = inFlightMap<Flight<T>>()

  const lead = async (key: string, copy: () => string, work: () => Promise<T>): Promise<FlightOutcome<T>> => {
    if (flights.size() >= mostRuns) return LATE
    const result = work()
    flights.set(key, { result, copy, followers: 0 })
    try {
      return { kind: 'led', result: await result }
    } finally {
      flights.delete(key)
    }
  }
  /** Whether a promise was settled in time. */
  const isOver = async (result: Promise<T>, ms: number): Promise<boolean> => {
    const patience = new AbortController()
    const late = timing.sleep(ms, patience.signal).then(() => false)
    const over = result.then(
      () => true,
      () => true,
    )
    late.catch(() => {})
    return Promise.race([over, late]).finally(() => patience.abort())
  }
  return {
    async run({ key, copy, turnMs }, work) {
      const until = timing.monotonicMs() + turnMs
      for (;;) {
        const flight = flights.get(key)
        if (flight === undefined) return lead(key, copy, work)
        const isCopy = flight.copy() === copy()
        const left = isCopy ? timing.waitMs : until - timing.monotonicMs()
        if (left <= 0 || flight.followers >= mostFollowers) return LATE
        flight.followers += 1
        if (!(await isOver(flight.result, left))) return LATE
        if (isCopy) return { kind: 'followed', result: await flight.result }
      }
    },
  }
}
