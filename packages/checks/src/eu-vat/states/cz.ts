/**
 * Daňové identifikační číslo (DIČ), the Czech VAT number: the IČO of a legal entity (eight digits), a birth number
 * (rodné číslo, nine digits for births before 1954 and ten since), or nine digits starting with 6 for persons
 * without a birth number.
 *
 * Source: Tax Code 280/2009 Sb., § 130; Act 133/2000 Sb. on birth numbers, § 13; European Commission, "VIES:
 * VAT Number Construction Rules" 15.0, for the weights.
 */

import { isCalendarDate } from '../../arithmetic/calendar-date.ts'
import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { Holder, MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2]

function legalEntityPasses(national: string): boolean {
  if (digitAt(national, 0) === 9) return false
  const check = 11 - (weightedSum(national, WEIGHTS) % 11)
  return check % 10 === digitAt(national, 7)
}

/** The leading 6 takes no part; a remainder r gives the check digit (r + 8) mod 10. */
function specialPasses(national: string): boolean {
  return ((weightedSum(national, WEIGHTS, 1) % 11) + 8) % 10 === digitAt(national, 8)
}

/** Women have 50 added to the month; since 2004 a further 20 when the serials of a day are used up. */
function hasBirthDate(national: string, year: number): boolean {
  let month = decimal(national, 2, 4)
  if (month > 50) month -= 50
  if (month > 20 && year >= 2004) month -= 20
  return isCalendarDate(year, month, decimal(national, 4, 6))
}

/** Nine digits, given out until 1953, carry no check digit. */
function oldBirthNumberPasses(national: string): boolean {
  const year = decimal(national, 0, 2)
  if (year >= 54 && year < 80) return false
  // The years from 1880 to 1899 have the days of those a century later.
  return hasBirthDate(national, year + 1900)
}

/** Ten digits divisible by 11; until 1985 a remainder of 10 gave the check digit 0. */
function birthNumberPasses(national: string): boolean {
  const twoDigits = decimal(national, 0, 2)
  const year = twoDigits + (twoDigits < 54 ? 2000 : 1900)
  if (!hasBirthDate(national, year)) return false
  const remainder = decimal(national, 0, 9) % 11
  return (year < 1985 ? remainder % 10 : remainder) === digitAt(national, 9)
}

function passes(national: string): boolean {
  if (national.length === 8) return legalEntityPasses(national)
  if (national.length === 10) return birthNumberPasses(national)
  return digitAt(national, 0) === 6 ? specialPasses(national) : oldBirthNumberPasses(national)
}

/** Nine digits with a 6 in front are also those of a group of companies (699). */
function holder(national: string): Holder | undefined {
  if (national.length === 8) return 'entity'
  return national.length === 9 && digitAt(national, 0) === 6 ? undefined : 'person'
}

export const CZ: MemberState = {
  prefix: 'CZ',
  country: 'Czechia',
  formats: ['99999999', '999999999', '9999999999'],
  national: { algorithm: 'mod 11 (legal entities and special numbers); birth number', passes },
  holder,
  register: { name: 'I\u010cO', holds: (national) => national.length === 8 },
}
