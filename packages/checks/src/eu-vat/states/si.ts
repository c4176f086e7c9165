/**
 * Identifikacijska številka za DDV, the Slovenian VAT number: the davčna številka of eight digits.
 *
 * Source: Finančna uprava Republike Slovenije (FURS); European Commission, "VIES: VAT Number Construction
 * Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2]

function passes(national: string): boolean {
  if (digitAt(national, 0) === 0) return false
  const check = 11 - (weightedSum(national, WEIGHTS) % 11)
  // Numbers whose check digit would be 11 are not issued; 10 becomes 0.
  return check !== 11 && check % 10 === digitAt(national, 7)
}

export const SI: MemberState = {
  prefix: 'SI',
  country: 'Slovenia',
  formats: ['99999999'],
  national: { algorithm: 'weighted mod 11', passes },
}
