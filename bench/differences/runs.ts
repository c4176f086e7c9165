/** Differential runs over many values, chunk by chunk, and what they found, as it is kept in `runs.json`. */
import type { CheckType } from '../../src/checks/verdict.ts'
import { type BatchJudge, type Comparison, compare } from './differential.ts'
import { valuesOf } from './values.ts'

/** One class of difference in one run. */
export interface FoundClass {
  readonly what: string
  readonly decides: string
  readonly example: string
  /** How many values showed it, by library. */
  readonly peers: Readonly<Record<string, number>>
}

export interface Run {
  readonly compared: number
  readonly seed: number
  readonly peers: readonly string[]
  readonly classes: readonly FoundClass[]
}

/** Values judged at a time. */
const CHUNK = 20_000

/** Compares `count` values; `onChunk` hears how far it is and what no class explains. */
export function runOf(
  type: CheckType,
  peers: Readonly<Record<string, BatchJudge>>,
  { count, seed }: { readonly count: number; readonly seed: number },
  onChunk: (compared: number, unexplained: Comparison['unexplained']) => void,
): Run {
  const values = valuesOf(type, seed)
  const found = new Map<string, { decides: string; example: string; peers: Record<string, number> }>()
  for (let compared = 0; compared < count; ) {
    const chunk = Array.from({ length: Math.min(CHUNK, count - compared) }, () => values.next().value)
    const { counts, unexplained } = compare(type, chunk, peers)
    for (const { peer, group, count: times, example } of counts) {
      const known = found.get(group.what) ?? { decides: group.decides, example, peers: {} }
      known.peers[peer] = (known.peers[peer] ?? 0) + times
      found.set(group.what, known)
    }
    compared += chunk.length
    onChunk(compared, unexplained)
  }
  const classes = [...found].map(([what, rest]) => ({ what, ...rest }))
  return { compared: count, seed, peers: Object.keys(peers), classes }
}
