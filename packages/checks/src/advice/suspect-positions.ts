/** Advice must lead to a value that fits every rule, and be right for nine of ten values of `test/support/noise.ts`. */

import { positionOf } from './foreign-character.ts'
import type { Fits } from './mended-value.ts'

const NONE: readonly number[] = Object.freeze([])

/** If check digits do not fit, a wrong digit, a swap and other slips explain it equally well. */
export function unfitDigits<const C, M>(code: C, more?: M) {
  return { code, suspects: NONE, more } as const
}

interface ExtraCharacter {
  readonly hint?: 'extra_character'
  readonly suspects?: readonly number[]
}

/**
 * Names a character that was typed twice, if it is the only one without which the value fits. For check digits as strong as
 * MOD 97-10; with weaker ones a value fits without many of its characters.
 */
export function extraCharacter(value: string, compact: string, fits: Fits): ExtraCharacter {
  const [offset = -1, ...others] = [...compact].flatMap((here, index) => {
    const isFirst = here !== compact.charAt(index - 1)
    return isFirst && fits(compact.slice(0, index) + compact.slice(index + 1)) ? [index] : []
  })
  const isDoubled = offset >= 0 && compact.charAt(offset) === compact.charAt(offset + 1)
  if (others.length > 0 || !isDoubled) return {}
  return { hint: 'extra_character', suspects: [positionOf(value, offset)] }
}
