/**
 * What each UTF-16 code unit is to a number check, as a bit set in one table, so that a scan costs one look-up per
 * character and never depends on Unicode case mapping.
 */

export const DIGIT = 1
export const UPPER = 2
export const LOWER = 4
/** Spaces and hyphens that people group numbers with. */
export const SEPARATOR = 8
/** The full stop: a separator in IBANs and VAT numbers, foreign in Polish numbers. */
export const DOT = 16
/** Whitespace and the byte order mark, dropped at either end. */
export const TRIM = 32
/** "+" and "*", which old Irish VAT numbers contain. */
export const PLUS_STAR = 64

export const ALPHANUMERIC = DIGIT | UPPER | LOWER

/** Bit set per UTF-16 code unit; 0 is a foreign character. */
export const CHAR_KIND: Uint8Array = charKinds()

/** Value per ASCII code unit: digits 0 to 9, letters of either case 10 to 35, anything else 255. */
export const CHAR_VALUE: Uint8Array = charValues()

function charKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  kinds.fill(DIGIT, 0x30, 0x3a)
  kinds.fill(UPPER, 0x41, 0x5b)
  kinds.fill(LOWER, 0x61, 0x7b)
  for (const unit of [0x09, 0x20, 0xa0]) kinds[unit] = SEPARATOR | TRIM
  for (const unit of [0x2d, 0x2007, 0x2009, 0x2010, 0x2011, 0x2013, 0x202f]) kinds[unit] = SEPARATOR
  for (const unit of [0x0a, 0x0d, 0xfeff]) kinds[unit] = TRIM
  for (const unit of [0x2a, 0x2b]) kinds[unit] = PLUS_STAR
  kinds[0x2e] = DOT
  return kinds
}

function charValues(): Uint8Array {
  const values = new Uint8Array(0x80).fill(255)
  for (let digit = 0; digit < 10; digit++) values[0x30 + digit] = digit
  for (let letter = 0; letter < 26; letter++) {
    values[0x41 + letter] = 10 + letter
    values[0x61 + letter] = 10 + letter
  }
  return values
}
