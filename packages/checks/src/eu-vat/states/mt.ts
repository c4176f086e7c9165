/**
 * Numru ta' reġistrazzjoni tal-VAT, the Maltese VAT number: eight digits, the last two a key.
 *
 * Source: Malta Tax and Customs Administration; European Commission, "VIES: VAT Number Construction Rules" 15.0.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [3, 4, 6, 7, 8, 9]

export const MT: MemberState = {
  prefix: 'MT',
  country: 'Malta',
  formats: ['99999999'],
  national: {
    algorithm: 'weighted mod 37',
    passes: (national) =>
      digitAt(national, 0) !== 0 && 37 - (weightedSum(national, WEIGHTS) % 37) === decimal(national, 6, 8),
  },
}
