/**
 * Αριθμός Εγγραφής Φ.Π.Α., the Cypriot VAT number: eight digits and a check letter.
 *
 * Numbers starting with 12 are not issued.
 * Source: Tax Department of the Ministry of Finance of Cyprus; European Commission, "VIES: VAT Number
 * Construction Rules" 15.0.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import type { MemberState } from '../member-state.ts'

const ODD_POSITION_VALUES: readonly number[] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
const LETTER_A = 65

function passes(national: string): boolean {
  if (decimal(national, 0, 2) === 12) return false
  let sum = 0
  for (let index = 0; index < 8; index++) {
    const digit = digitAt(national, index)
    sum += index % 2 === 0 ? ODD_POSITION_VALUES[digit]! : digit
  }
  return (sum % 26) + LETTER_A === national.charCodeAt(8)
}

export const CY: MemberState = {
  prefix: 'CY',
  country: 'Cyprus',
  formats: ['99999999L'],
  national: { algorithm: 'mod 26 letter', passes },
}
