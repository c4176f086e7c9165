/**
 * Αριθμός Φορολογικού Μητρώου (ΑΦΜ), the Greek tax and VAT number: nine digits, the last a check digit.
 *
 * Numbers of eight digits are older and take a leading 0. The VAT prefix is EL, not the ISO 3166 code GR.
 * Source: Independent Authority for Public Revenue (ΑΑΔΕ); European Commission, "VIES: VAT Number Construction
 * Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [256, 128, 64, 32, 16, 8, 4, 2]

const passes = (national: string): boolean =>
  (weightedSum(national, WEIGHTS) % 11) % 10 === digitAt(national, 8)

export const EL: MemberState = {
  prefix: 'EL',
  country: 'Greece',
  formats: ['999999999'],
  national: { algorithm: 'powers of two, mod 11 mod 10', passes },
  legacy: [{ hint: 'greek_eight_digits', shape: /^\d{8}$/, fits: (digits) => passes(`0${digits}`) }],
}
