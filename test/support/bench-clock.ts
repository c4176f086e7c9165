/** A clock that stands still until it is put forward: an hour passes in no time, and no lease ends on a slow machine. */
export interface BenchClock {
  /** UTC milliseconds. */
  now(): number
  /** UTC seconds. */
  seconds(): number
  advance(ms: number): void
  /** Lets it run with the machine's from now on, beside a chain that does the same. */
  run(): void
}

export function benchClock(): BenchClock {
  let ahead = 0
  let stood: number | null = Date.now()
  const now = () => (stood ?? Date.now()) + ahead
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance: (ms) => {
      ahead += ms
    },
    run: () => {
      stood = null
    },
  }
}
