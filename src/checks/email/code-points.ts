/** Sets of code points, the same under every engine. */
import { RANGES } from './idna-table.ts'

type SetName = keyof typeof RANGES

/** Where each set begins and ends by turns, in ascending order. */
const BOUNDS = Object.fromEntries(
  Object.entries(RANGES).map(([name, lengths]) => {
    let point = 0
    return [name, Uint32Array.from(lengths.split(' '), (length) => (point += Number.parseInt(length, 36)))]
  }),
) as Readonly<Record<SetName, Uint32Array>>

export function isIn(name: SetName, character: string): boolean {
  const point = character.codePointAt(0) ?? -1
  const bounds = BOUNDS[name]
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle]! <= point) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}
