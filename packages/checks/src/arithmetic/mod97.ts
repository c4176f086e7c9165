/** A letter counts as two digits (A = 10 .. Z = 35), by ISO 7064:2003 MOD 97-10 and ISO 13616-1. */

const ZERO = 48
const NINE = 57
const LETTER_OFFSET = 55

/**
 * `before` is the remainder of what precedes `start`; `end` is exclusive. A text with its ISO 7064 check digits gives 1.
 *
 * @example mod97('370400440532013000DE89') // 1
 */
export function mod97(text: string, start = 0, end = text.length, before = 0): number {
  let remainder = before
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    remainder =
      code <= NINE ? (remainder * 10 + code - ZERO) % 97 : (remainder * 100 + code - LETTER_OFFSET) % 97
  }
  return remainder
}
