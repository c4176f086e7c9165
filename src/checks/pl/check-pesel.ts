/**
 * PESEL: number in the Polish population register, with the holder's birth date and sex in it.
 *
 * Source: Act of 24 September 2010 on population registration, article 15(2): the century is added to the month as
 * 80 (1800 to 1899), 0 (1900 to 1999) or 20 (2000 to 2099); the offsets 40 and 60 for the two centuries after that
 * are custom, not statute. The tenth digit is even for women and odd for men. Weights 1 3 7 9 1 3 7 9 1 3.
 *
 * No clock is read: a birth date in the future is a date like any other, so the verdict never changes.
 */
import { isCalendarDate } from '../arithmetic/calendar-date.ts'
import { digitAt } from '../arithmetic/decimal.ts'
import { DIGIT, SEPARATOR } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { bullets } from '../mask.ts'
import { compactNumber, scanNumber, stepNames } from '../normalize.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { digitCountReason, isJudgedOk, NO_DIGITS, otherNumberHint, weightedDigits } from './digits.ts'

const DIGITS = 11
/** The check digit counts once, so that a valid number sums to a multiple of ten. */
const WEIGHTS: readonly number[] = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]
/** First year of the century that each step of 20 in the month stands for. */
const CENTURIES: readonly number[] = [1900, 2000, 2100, 2200, 1800]
const LAST_YEAR_IN_STATUTE = 2099
const BEYOND_STATUTE: readonly string[] = Object.freeze(['century_not_in_statute'])

const PASSED = layers('passed', 'passed', 'not_applicable')

export const PESEL: Profile = {
  type: 'pl-pesel',
  ruleset: 'pl-pesel:1',
  notChecked: Object.freeze(['PESEL register entry']),
  reasons: {
    ok: 'The value has eleven digits, the check digit fits and the birth date exists.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the PESEL alone.',
    invalid_character: 'A PESEL has ASCII digits only, besides spaces and hyphens between them.',
    checksum: 'The eleventh digit does not fit the first ten.',
    birth_date: 'The check digit fits, but the first six digits are no date of the calendar.',
  },
  failedLayers: {
    checksum: layers('passed', 'failed', 'not_applicable'),
    birth_date: layers('failed', 'passed', 'not_applicable'),
  },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

/** Whether the value is a valid PESEL; the verdict of `checkPlPesel` without its explanation. */
export function isPlPesel(value: string): boolean {
  return isJudgedOk(value, judgePesel)
}

/** Checks a PESEL and decodes birth date and sex; no digit of the number itself is disclosed. */
export function checkPlPesel(value: string): Verdict {
  if (judgePesel(value) === 'ok') return acceptedPesel(value, 0)
  const steps = scanNumber(value, DIGIT, SEPARATOR)
  if (steps < 0) return rejected(PESEL, 0, foreignCharacter(value, ~steps))
  const pesel = compactNumber(value, steps)
  const code = judgePesel(pesel)
  return code === 'ok'
    ? acceptedPesel(pesel, steps)
    : rejected(PESEL, steps, peselFailure(code, value, pesel))
}

/** The first rule that the digits break: the check digit before the date, since a slip is likelier. */
function judgePesel(pesel: string): VerdictCode {
  if (pesel.length !== DIGITS) return pesel.length === 0 ? 'empty' : 'length'
  const sum = weightedDigits(pesel, WEIGHTS)
  if (sum === NO_DIGITS) return 'invalid_character'
  if (sum % 10 !== 0) return 'checksum'
  const month = twoDigits(pesel, 2) % 20
  return isCalendarDate(birthYear(pesel), month, twoDigits(pesel, 4)) ? 'ok' : 'birth_date'
}

function acceptedPesel(pesel: string, steps: number): Verdict {
  const year = birthYear(pesel)
  const month = String(twoDigits(pesel, 2) % 20).padStart(2, '0')
  return accepted(PESEL, bullets(DIGITS), {
    code: 'ok',
    ruleset: PESEL.ruleset,
    normalization: stepNames(steps),
    layers: PASSED,
    notChecked: PESEL.notChecked,
    warnings: year > LAST_YEAR_IN_STATUTE ? BEYOND_STATUTE : NO_WARNINGS,
    birthDate: `${year}-${month}-${pesel.slice(4, 6)}`,
    sex: digitAt(pesel, 9) % 2 === 0 ? 'female' : 'male',
  })
}

function birthYear(pesel: string): number {
  return CENTURIES[Math.floor(twoDigits(pesel, 2) / 20)]! + twoDigits(pesel, 0)
}

function twoDigits(pesel: string, start: number): number {
  return digitAt(pesel, start) * 10 + digitAt(pesel, start + 1)
}

function peselFailure(code: VerdictCode, value: string, pesel: string): Failure {
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  if (code === 'checksum' || code === 'birth_date') return { code, more: { component: code } }
  if (code !== 'length') return { code }
  return {
    code,
    reason: digitCountReason('PESEL', 'eleven', pesel.length),
    hint: otherNumberHint(pesel.length),
    length: { expected: DIGITS, actual: pesel.length },
  }
}
