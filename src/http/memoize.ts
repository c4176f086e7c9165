/**
 * Returns a function that calls `read` at most once in `lifeMs` and shares a call under way; failures are not cached.
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
