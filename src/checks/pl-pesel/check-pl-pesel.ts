/**
 * PESEL: number in the Polish population register, with the holder's birth date and sex in it.
 *
 * Source: Act of 24 September 2010 on population registration, article 15(2); see `pesel-digits.ts` for the digits. No
 * clock is read: a birth date in the future is a date like any other, so the verdict never changes.
 */

import { foreignCharacter, positionOf } from '../advice/foreign-character.ts'
import type { WarningCode } from '../advice/hints.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { digitAt } from '../arithmetic/decimal.ts'
import { digitCountFailure, FITS } from '../pl/digit-count.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import { DIGIT, SEPARATOR } from '../text/char-kind.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { bullets } from '../text/mask.ts'
import { compactNumber, scanNumber, stepNames } from '../text/normalize.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { birthMonth, birthYear, DAY, judgePesel, MONTH, PESEL_DIGITS } from './pesel-digits.ts'

const LAST_YEAR_IN_STATUTE = 2099
const BEYOND_STATUTE: readonly WarningCode[] = Object.freeze(['century_not_in_statute'])
const COUNT = { type: 'pl-pesel', name: 'a PESEL', expected: PESEL_DIGITS, inWords: 'eleven' } as const
const CHARACTERS = 'a PESEL has ASCII digits only, with spaces or hyphens between them.'

const CHECKSUM = Object.freeze({ component: 'checksum' })

const PASSED = layers('passed', 'passed', 'not_applicable')

export const PESEL: Profile = {
  type: 'pl-pesel',
  ruleset: 'pl-pesel:4',
  notChecked: Object.freeze(['PESEL register entry']),
  labels: numberLabels('PESEL'),
  reasons: {
    ok: 'The value has eleven digits, the check digit fits and the birth date exists.',
    empty: 'The value is empty; a PESEL has eleven digits.',
    label_prefix: 'The value starts with a label; send the PESEL alone.',
    checksum: 'The eleventh digit does not fit the first ten: a digit is wrong or two are swapped.',
  },
  failedLayers: {
    checksum: layers('passed', 'failed', 'not_applicable'),
    birth_date: layers('failed', 'passed', 'not_applicable'),
  },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

const FORM = { rule: CHARACTERS, labels: PESEL.labels, fits: FITS['pl-pesel'], isNumeric: true } as const

/** Birth date and sex in the result leave about 5,000 possible numbers. */
export function checkPlPesel(value: string): Verdict {
  const steps = scanNumber(value, DIGIT, SEPARATOR)
  if (steps < 0) return rejected(PESEL, 0, foreignCharacter(value, ~steps, FORM))
  const pesel = compactNumber(value, steps)
  const code = judgePesel(pesel)
  return code === 'ok'
    ? acceptedPesel(pesel, steps)
    : rejected(PESEL, steps, peselFailure(code, value, pesel))
}

function acceptedPesel(pesel: string, steps: number): Verdict {
  const year = birthYear(pesel)
  const month = String(birthMonth(pesel)).padStart(2, '0')
  return accepted(PESEL, bullets(PESEL_DIGITS), {
    code: 'ok',
    ruleset: PESEL.ruleset,
    normalization: stepNames(steps),
    layers: PASSED,
    notChecked: PESEL.notChecked,
    warnings: year > LAST_YEAR_IN_STATUTE ? BEYOND_STATUTE : NO_WARNINGS,
    birthDate: `${year}-${month}-${pesel.slice(DAY, 6)}`,
    sex: digitAt(pesel, 9) % 2 === 0 ? 'female' : 'male',
  })
}

function peselFailure(code: VerdictCode, value: string, pesel: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'checksum') return unfitDigits(code, CHECKSUM)
  if (code === 'birth_date') {
    const failure = birthDateFailure(value, pesel)
    return /^0+$/.test(pesel) ? { ...failure, hint: 'placeholder_value' } : failure
  }
  return digitCountFailure(pesel, COUNT)
}

function birthDateFailure(value: string, pesel: string): Failure {
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
