/**
 * Cod de înregistrare în scopuri de TVA, the Romanian VAT number: the CUI / CIF of two to ten digits.
 *
 * Weights 7,5,3,2,1,7,5,3,2 stand on the digits before the last, aligned to the right; check = 10 * sum mod 11 mod 10.
 * There is no leading 0. Persons without a CIF use the CNP of thirteen digits, which VIES does not take.
 * Source: Agenția Națională de Administrare Fiscală (ANAF); European Commission, "VIES: VAT Number Construction
 * Rules" 15.0.
 */

import { areDigits, digitAt } from '../../arithmetic/decimal.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [7, 5, 3, 2, 1, 7, 5, 3, 2]

function passes(national: string): boolean {
  if (digitAt(national, 0) === 0) return false
  const last = national.length - 1
  const shift = WEIGHTS.length - last
  let sum = 0
  for (let index = 0; index < last; index++) sum += digitAt(national, index) * WEIGHTS[index + shift]!
  return ((sum * 10) % 11) % 10 === digitAt(national, last)
}

export const RO: MemberState = {
  prefix: 'RO',
  country: 'Romania',
  euMember: true,
  formats: ['99', '999', '9999', '99999', '999999', '9999999', '99999999', '999999999', '9999999999'],
  national: { algorithm: 'weighted mod 11', passes },
  legacyHint: (national) => (national.length === 13 && areDigits(national) ? 'romanian_cnp' : null),
}
