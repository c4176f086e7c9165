/**
 * Slips that would explain check digits that do not fit: two neighbours swapped, or one character taken for its
 * look-alike. Only their positions are published, never the corrected characters.
 */
import { positionOf } from './foreign-character.ts'
import type { Failure } from './result.ts'
import type { VerdictCode } from './verdict.ts'

const MOST = 5

/** Whether a compact value satisfies every rule of its type. */
export type Fits = (compact: string) => boolean

/** The value with the characters at `offset` and after it exchanged. */
export function swapAt(compact: string, offset: number): string {
  return (
    compact.slice(0, offset) + compact.charAt(offset + 1) + compact.charAt(offset) + compact.slice(offset + 2)
  )
}

/** The value with one character replaced. */
export function replaceAt(compact: string, offset: number, character: string): string {
  return compact.slice(0, offset) + character + compact.slice(offset + 1)
}

/**
 * Ascending offsets from `start` on at which swapping two digits changes a weighted sum into one that `sumFits` accepts.
 *
 * A swap changes the sum by the difference of the digits times the difference of the weights, so no sum is computed again.
 */
export function swapsThatFit(
  digits: string,
  weights: readonly number[],
  sum: number,
  sumFits: (sum: number) => boolean,
  start = 0,
): number[] {
  const offsets: number[] = []
  for (let index = 0; index + 1 < weights.length; index++) {
    const offset = start + index
    const step = digits.charCodeAt(offset + 1) - digits.charCodeAt(offset)
    if (step !== 0 && sumFits(sum + step * (weights[index]! - weights[index + 1]!))) offsets.push(offset)
  }
  return offsets
}

const NONE: readonly number[] = Object.freeze([])

/** Check digits that do not fit, with the slips that would explain them as ascending offsets into the compact form. */
export function unfitDigits(
  code: VerdictCode,
  value: string,
  offsets: readonly number[],
  more?: Readonly<Record<string, unknown>>,
): Failure {
  return offsets.length === 0
    ? { code, hint: 'compare_with_source', suspects: NONE, more }
    : { code, suspects: positionsOf(value, offsets), more }
}

function positionsOf(value: string, offsets: readonly number[]): readonly number[] {
  return offsets.slice(0, MOST).map((offset) => positionOf(value, offset))
}

/**
 * What a number that is one character too long says: the characters without which it would fit, those that were typed
 * twice before any other.
 */
export function extraCharacter(value: string, compact: string, fits: Fits): Partial<Failure> {
  const offsets = Array.from(compact, (_, offset) => offset).filter(
    (offset) =>
      compact.charAt(offset) !== compact.charAt(offset - 1) &&
      fits(compact.slice(0, offset) + compact.slice(offset + 1)),
  )
  if (offsets.length === 0) return {}
  const isDoubled = (offset: number) => compact.charAt(offset) === compact.charAt(offset + 1)
  const ordered = new Set([...offsets.filter(isDoubled), ...offsets])
  return { hint: 'extra_character', suspects: positionsOf(value, [...ordered]) }
}
