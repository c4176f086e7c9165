/**
 * VAT registration number of Northern Ireland: nine digits, twelve with a branch, or GD / HA and three digits.
 *
 * The weighted sum leaves 0 modulo 97, or 42 in numbers issued since 2009 ("9755": 55 is added first); the last two digits
 * are never 97 to 99, which would be aliases of 00 to 02. GD 000-499 are government departments, HA 500-999 health
 * authorities.
 * Source: HM Revenue & Customs, VAT registration numbers; Withdrawal Agreement, Protocol on Ireland and Northern Ireland,
 * art. 8, under which the prefix is XI; European Commission, "VIES: VAT Number Construction Rules" 15.0, for the weights
 * (GB).
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2, 10, 1]
const FIRST_HEALTH_AUTHORITY = 500
const REMAINDER_9755 = 42
const MAX_KEY = 96

function passes(national: string): boolean {
  if (national.length === 5) {
    const isHealthAuthority = decimal(national, 2, 5) >= FIRST_HEALTH_AUTHORITY
    return isHealthAuthority === (national.charAt(0) === 'H')
  }
  if (decimal(national, 7, 9) > MAX_KEY) return false
  const remainder = weightedSum(national, WEIGHTS) % 97
  return remainder === 0 || remainder === REMAINDER_9755
}

export const XI: MemberState = {
  prefix: 'XI',
  country: 'Northern Ireland',
  euMember: false,
  formats: ['999999999', '999999999999', 'GD999', 'HA999'],
  national: { algorithm: 'weighted mod 97 or 97-55', passes },
}
