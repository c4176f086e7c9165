/** A clock that runs with the machine's and can be put forward, so that an hour passes in no time. */
export interface BenchClock {
  /** UTC milliseconds. */
  now(): number
  /** UTC seconds. */
  seconds(): number
  advance(ms: number): void
}

export function benchClock(): BenchClock {
  let ahead = 0
  const now = () => Date.now() + ahead
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance: (ms) => {
      ahead += ms
    },
  }
}
