import { decimal } from '../arithmetic/decimal.ts'
import { mod97 } from '../arithmetic/mod97.ts'
import type { CodeOf } from '../profile.ts'
import { CHARS, LETTER } from '../text/char-kind.ts'
import { HEAD, ibanCountry } from './countries.ts'
import type { IBAN } from './profile.ts'

export type IbanCode = Exclude<CodeOf<typeof IBAN>, 'invalid_character' | 'label_prefix'>

export function judgeIban(iban: string): IbanCode {
  if (iban.length === 0) return 'empty'
  if (!isLetterAt(iban, 0) || !isLetterAt(iban, 1)) return 'country_missing'
  const country = ibanCountry(iban)
  if (country === undefined) return 'country_not_in_registry'
  if (iban.length !== country.length) return 'length'
  const misfit = misfitOffset(iban, country.kinds)
  if (misfit < iban.length) return misfit < HEAD ? 'check_digits_format' : 'structure'
  if (!isGenerated(decimal(iban, 2, HEAD))) return 'check_digits_out_of_range'
  return ibanRemainder(iban) === 1 ? 'ok' : 'checksum'
}

/** The remainder modulo 97 of an IBAN whose first four characters are moved to the end. */
export function ibanRemainder(iban: string): number {
  return mod97(iban, 0, HEAD, mod97(iban, HEAD))
}

/** The length of the IBAN if every character is of its kind. */
export function misfitOffset(iban: string, kinds: Uint16Array): number {
  let offset = 0
  while (offset < iban.length && (CHARS[iban.charCodeAt(offset)]! & kinds[offset]!) !== 0) offset++
  return offset
}

export function isLetterAt(iban: string, offset: number): boolean {
  return (CHARS[iban.charCodeAt(offset)]! & LETTER) !== 0
}

/** ISO 7064 MOD 97-10 generates 98 less a remainder, so 02 to 98. */
function isGenerated(checkDigits: number): boolean {
  return checkDigits >= 2 && checkDigits <= 98
}
