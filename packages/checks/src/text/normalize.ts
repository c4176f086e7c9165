/**
 * The normalisation of number types: trim, drop separators, upper-case.
 *
 * Characters are tested before anything is upper-cased: Unicode's case mapping would turn foreign letters (U+FB01, U+017F,
 * U+0131) into ASCII ones, and the verdict would be about another string than the caller's.
 */

import type { NormalizationStep } from '../profile.ts'
import { CHARS, LOWER, TRIM } from './char-kind.ts'

/** Normalisation steps as bits; a set of them is an index of `STEP_LISTS`. */
export const TRIMMED = 1
const SEPARATORS_REMOVED = 2
const UPPERCASED = 4
export const PREFIX_REMOVED = 8
export const DOMAIN_LOWERCASED = 16

/** What a scan lets pass and does not keep. */
export const DROPPED = /[^0-9A-Za-z+*]+/g

const STEP_NAMES: readonly NormalizationStep[] = [
  'trimmed',
  'separators_removed',
  'uppercased',
  'prefix_removed',
  'domain_lowercased',
]

const STEP_LISTS: readonly (readonly NormalizationStep[])[] = Array.from({ length: 32 }, (_, steps) =>
  Object.freeze(STEP_NAMES.filter((_name, bit) => (steps & (1 << bit)) !== 0)),
)

/** In the order in which they are applied. */
export function stepNames(steps: number): readonly NormalizationStep[] {
  return STEP_LISTS[steps & 31]!
}

/**
 * @param keep - kinds that belong to the number
 * @param drop - kinds of separators, dropped anywhere
 * @returns the steps needed (a bit set, 0 for a value that is compact already), or the bitwise complement of the index of
 * the first foreign character
 */
export function scanNumber(value: string, keep: number, drop: number): number {
  const edge = drop | TRIM
  let steps = 0
  let index = 0
  let end = value.length
  while (index < end && (CHARS[value.charCodeAt(index)]! & edge) !== 0) {
    steps |= edgeStep(value.charCodeAt(index++))
  }
  while (end > index && (CHARS[value.charCodeAt(end - 1)]! & edge) !== 0) {
    steps |= edgeStep(value.charCodeAt(--end))
  }
  for (; index < end; index++) {
    const kind = CHARS[value.charCodeAt(index)]!
    if ((kind & keep) !== 0) {
      if ((kind & LOWER) !== 0) steps |= UPPERCASED
    } else if ((kind & drop) !== 0) steps |= SEPARATORS_REMOVED
    else return ~index
  }
  return steps
}

/** Upper case and without separators; `steps` is what `scanNumber` returned for the value. */
export function compactNumber(value: string, steps: number): string {
  if (steps === 0) return value
  const kept = (steps & (TRIMMED | SEPARATORS_REMOVED)) === 0 ? value : value.replace(DROPPED, '')
  // Only ASCII is left here, which upper-casing maps one to one.
  return (steps & UPPERCASED) === 0 ? kept : kept.toUpperCase()
}

function edgeStep(unit: number): number {
  return (CHARS[unit]! & TRIM) === 0 ? SEPARATORS_REMOVED : TRIMMED
}
