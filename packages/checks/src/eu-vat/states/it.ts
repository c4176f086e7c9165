/**
 * Partita IVA, the Italian VAT number: seven digits for the taxpayer, three for the province office, a check digit.
 *
 * Source: D.P.R. 633/1972, art. 35; D.M. 23 December 1976 (check digit); Agenzia delle Entrate; European
 * Commission, "VIES: VAT Number Construction Rules" 15.0, for the offices.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { luhnPasses } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

function isOffice(code: number): boolean {
  return (code >= 1 && code <= 100) || code === 120 || code === 121 || code === 888 || code === 999
}

const passes = (national: string): boolean =>
  decimal(national, 0, 7) > 0 && isOffice(decimal(national, 7, 10)) && luhnPasses(national)

export const IT: MemberState = {
  prefix: 'IT',
  country: 'Italy',
  formats: ['99999999999'],
  national: { algorithm: 'Luhn; province office', passes },
  // The taxpayer's number counts from 1 in each province, so a spreadsheet may drop up to five zeros.
  legacy: [
    { hint: 'leading_zero_lost', shape: /^\d{6,10}$/, fits: (digits) => passes(digits.padStart(11, '0')) },
  ],
}
