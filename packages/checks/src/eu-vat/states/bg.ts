/**
 * Идентификационен номер по ДДС, the Bulgarian VAT number: the BULSTAT / UIC of a legal entity (nine digits), or
 * ten digits for a person: EGN (ЕГН, citizens), PNF (ЛНЧ, foreigners) or another number of the revenue agency.
 *
 * Source: National Revenue Agency (НАП); Registry Agency (BULSTAT) for nine digits; GRAO for the EGN; European
 * Commission, "VIES: VAT Number Construction Rules" 15.0, for all four rules.
 */

import { isCalendarDate } from '../../arithmetic/calendar-date.ts'
import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const LEGAL_FIRST: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]
const LEGAL_SECOND: readonly number[] = [3, 4, 5, 6, 7, 8, 9, 10]
const CITIZEN: readonly number[] = [2, 4, 8, 5, 10, 9, 7, 3, 6]
const FOREIGNER: readonly number[] = [21, 19, 17, 13, 11, 9, 7, 3, 1]
const OTHER: readonly number[] = [4, 3, 2, 7, 6, 5, 4, 3, 2]

function legalEntityPasses(national: string): boolean {
  let check = weightedSum(national, LEGAL_FIRST) % 11
  if (check === 10) check = weightedSum(national, LEGAL_SECOND) % 11
  return check % 10 === digitAt(national, 8)
}

/** Births of 1800-1899 have 20 added to the month, births of 2000-2099 have 40. */
function hasBirthDate(national: string): boolean {
  const year = decimal(national, 0, 2)
  const month = decimal(national, 2, 4)
  const day = decimal(national, 4, 6)
  if (month > 40) return isCalendarDate(2000 + year, month - 40, day)
  if (month > 20) return isCalendarDate(1800 + year, month - 20, day)
  return isCalendarDate(1900 + year, month, day)
}

function personPasses(national: string): boolean {
  const check = digitAt(national, 9)
  if ((weightedSum(national, CITIZEN) % 11) % 10 === check && hasBirthDate(national)) return true
  if (weightedSum(national, FOREIGNER) % 10 === check) return true
  return (weightedSum(national, OTHER) + check) % 11 === 0
}

export const BG: MemberState = {
  prefix: 'BG',
  country: 'Bulgaria',
  formats: ['999999999', '9999999999'],
  national: {
    algorithm: 'two-pass mod 11 (9 digits); EGN, PNF or mod 11 (10 digits)',
    passes: (national) => (national.length === 9 ? legalEntityPasses(national) : personPasses(national)),
  },
  register: { name: 'EIK', holds: (national) => national.length === 9 },
}
