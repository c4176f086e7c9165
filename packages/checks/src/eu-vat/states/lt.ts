/**
 * Pridėtinės vertės mokesčio mokėtojo kodas (PVM kodas), the Lithuanian VAT number: nine digits for legal entities,
 * twelve for temporarily registered taxpayers and persons.
 *
 * Source: Valstybinė mokesčių inspekcija (State Tax Inspectorate); European Commission, "VIES: VAT Number
 * Construction Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const SHORT_FIRST: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]
const SHORT_SECOND: readonly number[] = [3, 4, 5, 6, 7, 8, 9, 1]
const LONG_FIRST: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2]
const LONG_SECOND: readonly number[] = [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]

function passes(national: string): boolean {
  const short = national.length === 9
  const last = national.length - 1
  if (digitAt(national, last - 1) !== 1) return false
  let check = weightedSum(national, short ? SHORT_FIRST : LONG_FIRST) % 11
  if (check === 10) check = weightedSum(national, short ? SHORT_SECOND : LONG_SECOND) % 11
  return check % 10 === digitAt(national, last)
}

export const LT: MemberState = {
  prefix: 'LT',
  country: 'Lithuania',
  formats: ['999999999', '999999999999'],
  national: { algorithm: 'two-pass mod 11', passes },
}
