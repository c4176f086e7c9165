import { SeededRandom } from '../support/seeded-random.ts'

/** Where a schedule takes its decisions from; 0 is always the plainest of them. */
export interface Choices {
  /** A number from 0 to `below` - 1. */
  pick(below: number): number
  /** True about once in `times`. */
  rarely(times: number): boolean
  /** Every decision so far, to be replayed. */
  readonly taken: readonly number[]
}

/** Decisions of a seed. */
export function seededChoices(seed: number): Choices {
  const random = new SeededRandom(seed)
  return choicesFrom((below) => random.int(below))
}

/** Given decisions, and behind their end always the plainest. */
export function givenChoices(given: readonly number[]): Choices {
  let index = 0
  return choicesFrom((below) => Math.min(given[index++] ?? 0, below - 1))
}

function choicesFrom(draw: (below: number) => number): Choices {
  const taken: number[] = []
  const pick = (below: number): number => {
    const choice = draw(below)
    taken.push(choice)
    return choice
  }
  return { pick, rarely: (times) => pick(times) === times - 1, taken }
}

/** The shortest and plainest decisions that still fail, found by leaving some out and lowering others. */
export async function shrink(
  taken: readonly number[],
  fails: (choices: readonly number[]) => Promise<boolean>,
  attempts = 1_500,
): Promise<readonly number[]> {
  let best = [...taken]
  let left = attempts
  const tryOne = async (candidate: number[]): Promise<boolean> => {
    if (left <= 0) return false
    left -= 1
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  for (let size = Math.ceil(best.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let start = best.length - size; start >= 0; start -= size)
      await tryOne([...best.slice(0, start), ...best.slice(start + size)])
  for (let index = 0; index < best.length; index += 1)
    if (best[index] !== 0) (await tryOne(best.with(index, 0))) || (await tryOne(best.with(index, 1)))
  while (best.at(-1) === 0) best.pop()
  return best
}
