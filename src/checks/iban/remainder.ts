/** The arithmetic of the IBAN in one pass over the caller's own string. */
import { CHARS, DIGIT, DOT, LETTER, SEPARATOR, VALUE } from '../char-kind.ts'
import { END, HEAD, ibanCountry } from './countries.ts'

/** The string cannot be read as it stands: normalise it first, or it is no IBAN. */
export const UNREAD = -1

const SEPARATORS = SEPARATOR | DOT
/** Clearing this bit upper-cases an ASCII letter. */
const CASE_BIT = 0x20
/** Up to here a remainder can take one more letter (times 100, plus 35) without leaving 32-bit integers. */
const FOLD_ABOVE = 10_000_000

/**
 * Remainder modulo 97 of an IBAN with its first four characters moved to the end: 1 for a valid one, 0 when the check
 * digits are not among those that are generated.
 *
 * Reads lower case, separators between the characters after the first four, and separators at the end; returns UNREAD
 * when country, structure or length do not fit what it can read.
 */
export function ibanRemainder(value: string): number {
  if (value.length < HEAD) return UNREAD
  const first = value.charCodeAt(0)
  const second = value.charCodeAt(1)
  if ((CHARS[first]! & LETTER) === 0 || (CHARS[second]! & LETTER) === 0) return UNREAD
  const country = ibanCountry(first & ~CASE_BIT, second & ~CASE_BIT)
  if (country === undefined) return UNREAD
  const tens = CHARS[value.charCodeAt(2)]!
  const ones = CHARS[value.charCodeAt(3)]!
  if ((tens & ones & DIGIT) === 0) return UNREAD
  const remainder = bbanRemainder(value, country.kinds)
  if (remainder === UNREAD) return UNREAD
  const pair = (tens & VALUE) * 10 + (ones & VALUE)
  const countryValue = (CHARS[first]! & VALUE) * 100 + (CHARS[second]! & VALUE)
  return isGeneratedPair(pair) ? (((remainder * 10_000 + countryValue) % 97) * 100 + pair) % 97 : 0
}

/** ISO 7064 MOD 97-10 generates 98 less a remainder: 02 to 98. The pairs 00, 01 and 99 are mere aliases. */
export function isGeneratedPair(checkDigits: number): boolean {
  return checkDigits >= 2 && checkDigits <= 98
}

function bbanRemainder(value: string, kinds: Uint16Array): number {
  return value.length === kinds.length - 1 ? compactRemainder(value, kinds) : groupedRemainder(value, kinds)
}

/** The common case, kept apart because it takes half the time: every character stands at its own offset. */
function compactRemainder(value: string, kinds: Uint16Array): number {
  let remainder = 0
  for (let index = HEAD; index < value.length; index++) {
    const char = CHARS[value.charCodeAt(index)]!
    if ((char & kinds[index]!) === 0) return UNREAD
    remainder = append(remainder, char)
  }
  return remainder % 97
}

function groupedRemainder(value: string, kinds: Uint16Array): number {
  let remainder = 0
  let offset = HEAD
  for (let index = HEAD; index < value.length; index++) {
    const char = CHARS[value.charCodeAt(index)]!
    if ((char & kinds[offset]!) !== 0) {
      remainder = append(remainder, char)
      offset++
    } else if ((char & SEPARATORS) === 0) return UNREAD
  }
  return kinds[offset] === END ? remainder % 97 : UNREAD
}

/** Appends the one or two digits that a character stands for to a number congruent modulo 97. */
function append(remainder: number, char: number): number {
  const longer = remainder * ((char & DIGIT) === 0 ? 100 : 10) + (char & VALUE)
  return longer > FOLD_ABOVE ? longer % 97 : longer
}
