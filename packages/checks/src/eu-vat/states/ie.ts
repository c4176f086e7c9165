/**
 * Uimhir chláraithe CBL, the Irish VAT number: seven digits and one or two letters, the first a check letter; or
 * the shape issued until 2013: a digit, a letter or + or *, five digits and the check letter.
 *
 * In the old shape the second character takes no part and the first digit moves to the end.
 * Source: Revenue Commissioners, VAT registration numbers and PPSN check character; European Commission, "VIES:
 * VAT Number Construction Rules" 15.0.
 */

import { areDigits, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2]
const OLD_SHAPE_WEIGHTS: readonly number[] = [7, 6, 5, 4, 3]
const LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV'

function oldShapeSum(national: string): number {
  return weightedSum(national, OLD_SHAPE_WEIGHTS, 2) + digitAt(national, 0) * 2
}

/** X, Y and Z are not used: their index, -1, equals no remainder. */
function passes(national: string): boolean {
  const check = LETTERS.indexOf(national.charAt(7))
  if (!areDigits(national, 1, 2)) return oldShapeSum(national) % 23 === check
  if (national.length === 8) return weightedSum(national, WEIGHTS) % 23 === check
  const second = LETTERS.indexOf(national.charAt(8))
  return second >= 0 && (weightedSum(national, WEIGHTS) + 9 * second) % 23 === check
}

export const IE: MemberState = {
  prefix: 'IE',
  country: 'Ireland',
  formats: ['9S99999L', '9999999LL'],
  national: { algorithm: 'mod 23 letter', passes },
}
