/**
 * The digits of a PESEL.
 *
 * Source: Act of 24 September 2010 on population registration, article 15(2): the century is added to the month as
 * 80 (1800 to 1899), 0 (1900 to 1999) or 20 (2000 to 2099); the offsets 40 and 60 for the two centuries after that
 * are custom, not statute. The tenth digit is even for women and odd for men.
 */
import { isCalendarDate } from '../arithmetic/calendar-date.ts'
import { areDigits, decimal } from '../arithmetic/decimal.ts'
import { weightedSum } from '../arithmetic/weighted-sum.ts'
import type { CodeOf } from '../profile.ts'
import type { PESEL } from './profile.ts'

export const PESEL_DIGITS = 11
/** With the check digit, so that the sum of a valid number is a multiple of ten. */
const WEIGHTS: readonly number[] = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]
/** First year of the century that each step of 20 in the month encodes. */
const CENTURIES: readonly number[] = [1900, 2000, 2100, 2200, 1800]
export const MONTH = 2
export const DAY = 4

export type PeselCode = Exclude<CodeOf<typeof PESEL>, 'label_prefix'>

/** Judges a compact value: the check digit before the date, since a slip is likelier. */
export function judgePesel(pesel: string): PeselCode {
  if (pesel.length === 0) return 'empty'
  if (pesel.length !== PESEL_DIGITS) return 'length'
  if (!areDigits(pesel)) return 'invalid_character'
  if (weightedSum(pesel, WEIGHTS) % 10 !== 0) return 'checksum'
  return isCalendarDate(birthYear(pesel), birthMonth(pesel), decimal(pesel, DAY, 6)) ? 'ok' : 'birth_date'
}

export function birthYear(pesel: string): number {
  return CENTURIES[Math.floor(decimal(pesel, MONTH, DAY) / 20)]! + decimal(pesel, 0, MONTH)
}

export function birthMonth(pesel: string): number {
  return decimal(pesel, MONTH, DAY) % 20
}
