/**
 * Advice is given only if following it ends at a value that fits every rule, and if it is right in nine of ten values of the
 * noise model (`test/support/noise.ts`).
 */
import type { Fits } from './fits.ts'
import { positionOf } from './foreign-character.ts'
import type { Failure } from './result.ts'
import type { VerdictCode } from './verdict.ts'

const NONE: readonly number[] = Object.freeze([])

/** Check digits that do not fit, which one wrong digit, a swap and much else would explain alike. */
export function unfitDigits(code: VerdictCode, more?: Readonly<Record<string, unknown>>): Failure {
  return { code, hint: 'compare_with_source', suspects: NONE, more }
}

/**
 * Names a character that was typed twice, if the value fits without it and without no other. For check digits of MOD 97-10
 * and stronger: weaker ones fit without too many characters.
 */
export function extraCharacter(value: string, compact: string, fits: Fits): Partial<Failure> {
  const [offset = -1, ...others] = [...compact].flatMap((here, index) => {
    const isFirst = here !== compact.charAt(index - 1)
    return isFirst && fits(compact.slice(0, index) + compact.slice(index + 1)) ? [index] : []
  })
  const isDoubled = offset >= 0 && compact.charAt(offset) === compact.charAt(offset + 1)
  if (others.length > 0 || !isDoubled) return {}
  return { hint: 'extra_character', suspects: [positionOf(value, offset)] }
}
