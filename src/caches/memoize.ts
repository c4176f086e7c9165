import { boundedCache } from './bounded-cache.ts'
import { isRecent } from './is-recent.ts'

/**
 * Returns a function that calls `read` at most once in `lifeMs` and shares a running call; failures are not cached.
 * `now` is in milliseconds of either clock.
 */
export function memoize<T>(
  read: () => Promise<T>,
  lifeMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
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

/** Does the same for each key, for the `most` keys that were used last. */
export function memoizeBy<Key extends string, T>(
  read: (key: Key) => Promise<T>,
  { most, lifeMs, now }: { readonly most: number; readonly lifeMs: number; readonly now: () => number },
): (key: Key) => Promise<T> {
  const readerOf = makeOnce(boundedCache<() => Promise<T>>(most), (key: Key) =>
    memoize(() => read(key), lifeMs, now),
  )
  return (key) => readerOf(key)()
}

interface Kept<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

export const makeOnce =
  <Key, Value>(kept: Kept<Key, NoInfer<Value>>, make: (key: Key) => Value) =>
  (key: Key): Value => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make(key)
    kept.set(key, made)
    return made
  }
