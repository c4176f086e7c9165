/**
 * Slips that the check digits of an IBAN prove. Swapped neighbours are not among them: a wrong digit looks like some swap in
 * one of five IBANs.
 */
import { ALPHANUMERIC } from '../char-kind.ts'
import { replaceAt } from '../fits.ts'
import { digitLike } from '../lookalikes.ts'
import type { IbanCountry } from './countries.ts'
import { judgeIban } from './judge-iban.ts'

export function fitsIban(iban: string): boolean {
  return judgeIban(iban) === 'ok'
}

/** Offset of the only letter among places for letters and digits, if it fits as the digit it looks like; else -1. */
export function letterForDigit(iban: string, { kinds }: IbanCountry): number {
  const letters = [...iban].flatMap((sign, offset) =>
    kinds[offset] === ALPHANUMERIC && sign > '9' ? [offset] : [],
  )
  const [offset = -1] = letters
  const digit = digitLike(iban.charAt(offset))
  return letters.length === 1 && digit !== undefined && fitsIban(replaceAt(iban, offset, digit)) ? offset : -1
}
