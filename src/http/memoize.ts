/**
 * Returns a function that calls `read` at most once in `lifeMs` and shares a call under way; failures are not cached.
 * `now` is in milliseconds; a value from after it was read before the clock was put back, and is read again.
 */
export function memoize<T>(read: () => Promise<T>, lifeMs: number, now: () => number): () => Promise<T> {
  let kept: { readonly value: T; readonly at: number } | undefined
  let running: Promise<T> | undefined
  return () => {
    if (kept !== undefined && Math.abs(now() - kept.at) < lifeMs) return Promise.resolve(kept.value)
    running ??= read()
      .then((value) => {
        kept = { value, at: now() }
        return value
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
