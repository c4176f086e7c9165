/**
 * Slips that the check digits of an IBAN prove. Swapped neighbours are not among them: in one of five IBANs a wrong digit has
 * the same effect as some swap.
 */

import { replaceAt } from '../advice/mended-value.ts'
import { ALPHANUMERIC } from '../text/char-kind.ts'
import { digitLike } from '../text/lookalikes.ts'
import type { IbanCountry } from './countries.ts'
import { judgeIban } from './judge-iban.ts'

export function fitsIban(iban: string): boolean {
  return judgeIban(iban) === 'ok'
}

/**
 * The offset of a letter that stands for the digit it looks like; -1 without such a letter, or with more than one letter where
 * digits are allowed. `written` is the IBAN with the case of the value.
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
