import type { Held } from './heap-watch.ts'

/** Room for what comes and goes: compiled code, caches that have an upper bound, the limiter's present minute. */
const ROOM_BYTES = 24 * 2 ** 20
const ROOM_HANDLES = 40
/** What the chain in memory keeps of each sale, without end, as a chain does. */
const BYTES_PER_SALE = 6_000

/**
 * What a process holds more of at the end than in the second quarter of its run, but for some room; empty where it is
 * flat. The first quarter is left out: caches fill and code is compiled there.
 */
export function growth(held: readonly Held[], sales: number): readonly (keyof Held)[] {
  if (held.length < 4) return []
  const quarter = Math.floor(held.length / 4)
  const most = (part: readonly Held[], of: keyof Held) => Math.max(...part.map((each) => each[of]))
  const [early, late] = [held.slice(quarter, 2 * quarter), held.slice(-quarter)]
  const room: Held = { heap: ROOM_BYTES + BYTES_PER_SALE * sales, handles: ROOM_HANDLES, files: ROOM_HANDLES }
  return (['heap', 'handles', 'files'] as const).filter((of) => most(late, of) > most(early, of) + room[of])
}
