/**
 * Número de identificação fiscal (NIF; NIPC for legal entities), the Portuguese tax and VAT number: nine digits.
 *
 * Source: Decreto-Lei 14/2013 (NIF); Autoridade Tributária e Aduaneira; European Commission, "VIES: VAT Number
 * Construction Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [9, 8, 7, 6, 5, 4, 3, 2]

function passes(national: string): boolean {
  if (digitAt(national, 0) === 0) return false
  const check = 11 - (weightedSum(national, WEIGHTS) % 11)
  return (check > 9 ? 0 : check) === digitAt(national, 8)
}

export const PT: MemberState = {
  prefix: 'PT',
  country: 'Portugal',
  formats: ['999999999'],
  national: { algorithm: 'weighted mod 11', passes },
}
