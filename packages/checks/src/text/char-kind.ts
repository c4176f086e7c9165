/** The kinds of characters that number checks tell apart, as bits. */

export const DIGIT = 0x40
export const UPPER = 0x80
export const LOWER = 0x100
/** Spaces and hyphens that group numbers. */
export const SEPARATOR = 0x200
/** The full stop: a separator in IBANs and VAT numbers, foreign in Polish numbers. */
export const DOT = 0x400
/** Whitespace and the byte order mark, which are dropped at either end. */
export const TRIM = 0x800
/** "+" and "*", which old Irish VAT numbers contain. */
export const PLUS_STAR = 0x1000

export const LETTER = UPPER | LOWER
export const ALPHANUMERIC = DIGIT | LETTER

/** Kinds per UTF-16 code unit; 0 is a foreign character. */
export const CHARS: Uint16Array = describeCharacters()

function describeCharacters(): Uint16Array {
  const chars = new Uint16Array(0x10000)
  chars.fill(DIGIT, 0x30, 0x3a)
  chars.fill(UPPER, 0x41, 0x5b)
  chars.fill(LOWER, 0x61, 0x7b)
  for (const unit of [0x09, 0x20, 0xa0]) chars[unit] = SEPARATOR | TRIM
  for (const unit of [0x2d, 0x2007, 0x2009, 0x2010, 0x2011, 0x2013, 0x202f]) chars[unit] = SEPARATOR
  for (const unit of [0x0a, 0x0d, 0xfeff]) chars[unit] = TRIM
  for (const unit of [0x2a, 0x2b]) chars[unit] = PLUS_STAR
  chars[0x2e] = DOT
  return chars
}
