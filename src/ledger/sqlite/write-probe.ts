/** How long one successful write counts. */
const LIFE_MS = 5_000

/**
 * Tests with a flushed write, at most every few seconds, whether the store can be written. Failures are not remembered,
 * so a store with room again is ready at the next call.
 */
export function writeProbe(
  write: () => Promise<unknown>,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<true> {
  let goodUntil = Number.NEGATIVE_INFINITY
  let running: Promise<true> | null = null
  const ask = async (): Promise<true> => {
    try {
      await write()
      goodUntil = monotonicMs() + LIFE_MS
      return true
    } finally {
      running = null
    }
  }
  return async () => {
    if (monotonicMs() < goodUntil) return true
    running ??= ask()
    return running
  }
}
