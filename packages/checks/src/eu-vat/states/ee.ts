/**
 * Käibemaksukohustuslase number (KMKR), the Estonian VAT number: nine digits, the last a check digit.
 *
 * Source: Maksu- ja Tolliamet (Estonian Tax and Customs Board); European Commission, "VIES: VAT Number
 * Construction Rules" 15.0.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [3, 7, 1, 3, 7, 1, 3, 7, 1]

export const EE: MemberState = {
  prefix: 'EE',
  country: 'Estonia',
  formats: ['999999999'],
  national: {
    algorithm: '7-3-1 mod 10',
    passes: (national) => decimal(national, 0, 2) === 10 && weightedSum(national, WEIGHTS) % 10 === 0,
  },
}
