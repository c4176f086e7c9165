/**
 * PESEL: number in the Polish population register, with the holder's birth date and sex in it.
 *
 * Source: Act of 24 September 2010 on population registration, article 15(2); see `pesel-digits.ts` for the digits. No
 * clock is read: a birth date in the future is a date like any other, so the verdict never changes.
 */

import { positionOf } from '../advice/foreign-character.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { digitAt } from '../arithmetic/decimal.ts'
import { numberCheck } from '../check-number.ts'
import { digitCountFailure, fitsWithZeros } from '../pl/digit-count.ts'
import { judgeNip } from '../pl-nip/nip-digits.ts'
import { layers } from '../profile.ts'
import { accepted, type FailureOf, NO_WARNINGS, type VerdictOf } from '../result.ts'
import { DIGIT, SEPARATOR } from '../text/char-kind.ts'
import { bullets } from '../text/mask.ts'
import {
  birthMonth,
  birthYear,
  DAY,
  judgePesel,
  MONTH,
  PESEL_DIGITS,
  type PeselCode,
} from './pesel-digits.ts'
import { PESEL } from './profile.ts'

const LAST_YEAR_IN_STATUTE = 2099
const BEYOND_STATUTE = Object.freeze(['century_not_in_statute'] as const)
const COUNT = { name: 'a PESEL', expected: PESEL_DIGITS, inWords: 'eleven' } as const

const CHECKSUM = Object.freeze({ component: 'checksum' } as const)

const PASSED = layers('passed', 'passed', 'not_applicable')

/** Birth date and sex in the result leave about 5,000 possible numbers. */
export const checkPlPesel = numberCheck({
  profile: PESEL,
  rule: 'a PESEL has ASCII digits only, with spaces or hyphens between them.',
  keep: DIGIT,
  drop: SEPARATOR,
  judge: judgePesel,
  accept: acceptedPesel,
  fail: peselFailure,
})

function acceptedPesel(pesel: string, steps: number): VerdictOf<typeof PESEL> {
  const year = birthYear(pesel)
  const month = String(birthMonth(pesel)).padStart(2, '0')
  return accepted(PESEL, steps, bullets(PESEL_DIGITS), {
    layers: PASSED,
    warnings: year > LAST_YEAR_IN_STATUTE ? BEYOND_STATUTE : NO_WARNINGS,
    facts: {
      birthDate: `${year}-${month}-${pesel.slice(DAY, 6)}`,
      sex: digitAt(pesel, 9) % 2 === 0 ? 'female' : 'male',
    },
  })
}

function peselFailure(code: Exclude<PeselCode, 'ok'>, value: string, pesel: string): FailureOf<typeof PESEL> {
  if (code === 'empty') return { code }
  if (code === 'checksum') return unfitDigits(code, CHECKSUM)
  if (code === 'birth_date') {
    const failure = birthDateFailure(value, pesel)
    return /^0+$/.test(pesel) ? { ...failure, hint: 'placeholder_value' } : failure
  }
  return digitCountFailure(pesel, COUNT, hasLostZeros(pesel) ? 'leading_zero_lost' : undefined)
}

/** With lost zeros it is of a person born from 2000 to 2009, as those born from 1900 to 1909 would be over 115. */
const hasLostZeros = (digits: string): boolean =>
  fitsWithZeros(digits, PESEL_DIGITS, judgePesel) &&
  /^0\d[23]/.test(digits.padStart(PESEL_DIGITS, '0')) &&
  judgeNip(digits) !== 'ok'

function birthDateFailure(value: string, pesel: string): FailureOf<typeof PESEL> {
  const month = birthMonth(pesel)
  const isMonth = month >= 1 && month <= 12
  const position = positionOf(value, isMonth ? DAY : MONTH)
  const found = isMonth ? 'a day that the month does not have' : 'a month that does not exist'
  return {
    code: 'birth_date',
    reason: `The two digits from character ${position + 1} on encode ${found}; a PESEL starts with a birth date.`,
    position,
    more: { component: 'birth_date' },
  }
}
