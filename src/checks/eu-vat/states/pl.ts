/**
 * Numer identyfikacji podatkowej (NIP), the Polish tax and VAT number: ten digits, the last a check digit.
 *
 * The sum with weights 6,5,7,2,3,4,5,6,7 modulo 11 is the check digit; numbers leaving 10 are not issued, and
 * neither is the number of ten zeros.
 * Source: Act of 13 October 1995 on the registration and identification of taxpayers; Ministerstwo Finansów.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [6, 5, 7, 2, 3, 4, 5, 6, 7]

export const PL: MemberState = {
  prefix: 'PL',
  country: 'Poland',
  euMember: true,
  formats: ['9999999999'],
  national: {
    algorithm: 'weighted mod 11',
    passes: (national) =>
      weightedSum(national, WEIGHTS) % 11 === digitAt(national, 9) && decimal(national, 0, 10) !== 0,
  },
}
