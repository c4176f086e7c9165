import { isRecent } from './is-recent.ts'

/**
 * Returns a function that calls `read` at most once in `lifeMs` and shares a running call; failures are not cached.
 * `now` is in UTC milliseconds.
 */
export function memoize<T>(read: () => Promise<T>, lifeMs: number, now: () => number): () => Promise<T> {
  let kept: { readonly value: T; readonly at: number } | undefined
  let running: Promise<T> | undefined
  return () => {
    if (kept !== undefined && isRecent(kept.at, now(), lifeMs)) return Promise.resolve(kept.value)
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
