/**
 * Reads something at most once in `lifeMs`, and once for all who ask at the same time; a failure is not kept.
 * `now` is in milliseconds.
 */
export function memoize<T>(read: () => Promise<T>, lifeMs: number, now: () => number): () => Promise<T> {
  let kept: { readonly value: T; readonly until: number } | undefined
  let running: Promise<T> | undefined
  return () => {
    if (kept !== undefined && now() < kept.until) return Promise.resolve(kept.value)
    running ??= read()
      .then((value) => {
        kept = { value, until: now() + lifeMs }
        return value
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
