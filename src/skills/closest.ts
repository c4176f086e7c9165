import { editDistance } from '../edit-distance.ts'

/** Swaps, insertions and omissions that still count as a typing error. */
const MAX_DISTANCE = 2

/** The candidate nearest to what was typed; undefined if none is near. */
export function closest(typed: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.min(MAX_DISTANCE, name.length - 1))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.name
}
