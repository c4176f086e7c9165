import { inFlightMap } from '../../caches/in-flight-map.ts'
import type { SaleTiming } from './table/sale-context.ts'

export interface Turn {
  /** Requests with the same key run one after the other. */
  readonly key: string
  /** Equal for copies of one request with its payment, which share a result; called only while another request is under way. */
  readonly copy: () => string
  /** The payment it comes with. What was charged under it is known only once the requests before are answered. */
  readonly payment: string
}

export interface SingleFlight<T> {
  /**
   * `late` if the request waits longer than `timing.waitMs`, or than `turnMs` for one with another payment, or if too
   * many wait or run already.
   */
  run(turn: Turn, lead: () => Promise<T>): Promise<FlightOutcome<T>>
}

export type FlightOutcome<T> =
  | { readonly kind: 'led' | 'followed'; readonly result: T }
  | { readonly kind: 'late' }

interface Flight<T> {
  readonly result: Promise<T>
  readonly copy: () => string
  readonly payment: string
  followers: number
}

const LATE = { kind: 'late' } as const

export function createSingleFlight<T>(options: {
  readonly timing: Pick<SaleTiming, 'waitMs' | 'sleep' | 'monotonicMs'>
  readonly turnMs: number
  readonly mostFollowers: number
  readonly mostRuns: number
}): SingleFlight<T> {
  const { timing, turnMs, mostFollowers, mostRuns } = options
  const flights = inFlightMap<Flight<T>>()

  const lead = async ({ key, ...turn }: Turn, work: () => Promise<T>): Promise<FlightOutcome<T>> => {
    if (flights.size() >= mostRuns) return LATE
    const result = work()
    flights.set(key, { ...turn, result, followers: 0 })
    try {
      return { kind: 'led', result: await result }
    } finally {
      flights.delete(key)
    }
  }
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
    async run(turn, work) {
      const arrived = timing.monotonicMs()
      for (;;) {
        const flight = flights.get(turn.key)
        if (flight === undefined) return lead(turn, work)
        const isCopy = flight.copy() === turn.copy()
        const patience = flight.payment === turn.payment ? timing.waitMs : turnMs
        const left = patience - (timing.monotonicMs() - arrived)
        if (left <= 0 || flight.followers >= mostFollowers) return LATE
        flight.followers += 1
        if (!(await isOver(flight.result, left))) return LATE
        if (isCopy) return { kind: 'followed', result: await flight.result }
      }
    },
  }
}
