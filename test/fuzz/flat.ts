import type { Held } from './heap-watch.ts'

/** Room for what comes and goes: compiled code, caches that have an upper bound, the limiter's present minute. */
const ROOM_BYTES = 24 * 2 ** 20
const ROOM_HANDLES = 40

/**
 * Whether a process holds no more at the end than in the second quarter of its run, but for some room.
 *
 * The first quarter is left out: caches fill and code is compiled there.
 */
export function isFlat(held: readonly Held[]): boolean {
  if (held.length < 4) return true
  const quarter = Math.floor(held.length / 4)
  const most = (part: readonly Held[], of: keyof Held) => Math.max(...part.map((each) => each[of]))
  const [early, late] = [held.slice(quarter, 2 * quarter), held.slice(-quarter)]
  return (
    most(late, 'heap') < most(early, 'heap') + ROOM_BYTES &&
    most(late, 'handles') < most(early, 'handles') + ROOM_HANDLES
  )
}
