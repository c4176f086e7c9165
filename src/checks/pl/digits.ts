/** What the Polish numbers share: digits only, grouped by spaces and hyphens. */
import { CHARS, DIGIT, SEPARATOR, VALUE } from '../char-kind.ts'
import { compactNumber, scanNumber } from '../normalize.ts'
import type { VerdictCode } from '../verdict.ts'

/** A character that is no digit stands among the weighted ones. */
export const NO_DIGITS = -1

/** Sum of weight times digit from the character at `start` on, or NO_DIGITS. */
export function weightedDigits(text: string, weights: readonly number[], start = 0): number {
  let sum = 0
  for (let index = 0; index < weights.length; index++) {
    const char = CHARS[text.charCodeAt(start + index)]!
    if ((char & DIGIT) === 0) return NO_DIGITS
    sum += weights[index]! * (char & VALUE)
  }
  return sum
}

/**
 * Whether a judge finds the value "ok", as it stands or without its separators.
 *
 * The value as it stands is tried first: most need no normalisation.
 */
export function isJudgedOk(value: string, judge: (digits: string) => VerdictCode): boolean {
  const code = judge(value)
  if (code !== 'length' && code !== 'invalid_character') return code === 'ok'
  const steps = scanNumber(value, DIGIT, SEPARATOR)
  return steps > 0 && judge(compactNumber(value, steps)) === 'ok'
}

/** Other Polish numbers with this many digits: a hint by length only. */
export function otherNumberHint(digits: number): string | undefined {
  if (digits === 9 || digits === 14) return 'may_be_regon'
  if (digits === 10) return 'may_be_nip'
  return digits === 11 ? 'may_be_pesel' : undefined
}

/** The sentence for a wrong number of digits. */
export function digitCountReason(name: string, expected: string, actual: number): string {
  return `A ${name} has ${expected} digits; this value has ${actual} after removing separators.`
}
