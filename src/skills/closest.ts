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

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
