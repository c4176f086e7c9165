import { editDistance } from '../values/edit-distance.ts'

/** Edits (see `editDistance`) that still count as one slip of the keyboard. */
const MAX_DISTANCE = 2

/** Undefined if no candidate is near enough to be meant: "bic" has one letter of three in common with "nip". */
export function closest(typed: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.min(MAX_DISTANCE, Math.floor(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.name
}
