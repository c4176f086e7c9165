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

/**
 * Offset of the only letter among places for letters and digits, if it fits as the digit it looks like; else -1. `written` is
 * the IBAN in the case of the value.
 */
export function letterForDigit(iban: string, written: string, { kinds }: IbanCountry): number {
  let found = -1
  for (let offset = 0; offset < iban.length; offset++) {
    if (kinds[offset] !== ALPHANUMERIC || iban.charAt(offset) <= '9') continue
    if (found >= 0) return -1
    found = offset
  }
  const digit = digitLike(written.charAt(found))
  return digit !== undefined && fitsIban(replaceAt(iban, found, digit)) ? found : -1
}
