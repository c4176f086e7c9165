/** The service's clock, by the `Date` of an answer. */
export interface ServiceClock {
  /** UTC milliseconds. */
  readonly date: number
  /** By `performance.now`, which no change of this machine's clock moves. */
  readonly heardAt: number
}

/** Nothing was signed: the payment would be valid too long, or not at all. */
export interface ClocksDiffer {
  readonly kind: 'clocks_differ'
  /** Times in UTC, by the clock of this machine and by that of the service. */
  readonly own: string
  readonly service: string
}

const MOST_AHEAD_SECONDS = 60

/** Undefined without a `Date`, and if the answer may come from a cache (`Age`). */
export function clockIn(headers: Headers): ServiceClock | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) || headers.has('age') ? undefined : { date, heardAt: performance.now() }
}

/** Null if a payment that is signed now ends in time; also if the service's clock is not known. */
export function clockFault({
  clock,
  terms: { maxTimeoutSeconds },
}: {
  readonly clock?: ServiceClock | undefined
  readonly terms: { readonly maxTimeoutSeconds: number }
}): ClocksDiffer | null {
  if (clock === undefined) return null
  const [own, service] = [Date.now(), clock.date + performance.now() - clock.heardAt]
  const ahead = (own - service) / 1_000
  if (ahead <= MOST_AHEAD_SECONDS && ahead > -maxTimeoutSeconds) return null
  return { kind: 'clocks_differ', own: timeOf(own), service: timeOf(service) }
}

const timeOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
