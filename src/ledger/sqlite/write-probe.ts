/** How long a write that reached the disk stands for the next ones. */
const LIFE_MS = 5_000

/**
 * Says whether a store takes writes, by one flushed write at most every few seconds. A failure is passed on and not
 * remembered, so a store with room again is ready at the next question.
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
