/**
 * Partita IVA, the Italian VAT number: seven digits for the taxpayer, three for the province office, a check digit.
 *
 * Source: D.P.R. 633/1972, art. 35; D.M. 23 December 1976 (check digit); Agenzia delle Entrate; European
 * Commission, "VIES: VAT Number Construction Rules" 15.0, for the offices.
 */

import { areDigits, decimal } from '../../arithmetic/decimal.ts'
import { luhnPasses } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

const LENGTH = 11
/** The taxpayer's number counts from 1 in each province, so a spreadsheet may drop several zeros. */
const MOST_ZEROS_LOST = 5

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
  legacyHint: (national) => {
    const padded = national.padStart(LENGTH, '0')
    const isShort = national.length >= LENGTH - MOST_ZEROS_LOST && national.length < LENGTH
    return isShort && areDigits(national) && passes(padded) ? 'leading_zero_lost' : null
  },
}
