/**
 * Momsregistreringsnummer, the Danish VAT number; the same as the CVR or SE number: eight digits.
 *
 * Source: Erhvervsstyrelsen (Danish Business Authority), CVR number and modulus-11 control; European
 * Commission, "VIES: VAT Number Construction Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [2, 7, 6, 5, 4, 3, 2, 1]

export const DK: MemberState = {
  prefix: 'DK',
  country: 'Denmark',
  formats: ['99999999'],
  national: {
    algorithm: 'weighted mod 11',
    passes: (national) => digitAt(national, 0) !== 0 && weightedSum(national, WEIGHTS) % 11 === 0,
  },
}
