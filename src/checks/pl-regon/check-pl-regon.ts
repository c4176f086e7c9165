/**
 * REGON: number in the Polish register of business entities, 9 digits, or 14 for a local unit.
 *
 * Source: Public Statistics Act of 29 June 1995, articles 41 and 42; see `regon-digits.ts` for the digits.
 */

import { foreignCharacter } from '../advice/foreign-character.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { digitCountFailure, FITS } from '../pl/digit-count.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import { DIGIT, SEPARATOR } from '../text/char-kind.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { maskNumber } from '../text/mask.ts'
import { compactNumber, scanNumber, stepNames } from '../text/normalize.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { judgeRegon, REGON_LENGTHS } from './regon-digits.ts'

const SHOWN = 2
/** Digits of the form used before about 1990, which two leading zeros turned into today's. */
const OLD_LENGTH = 7
const COUNT = {
  type: 'pl-regon',
  name: 'a REGON',
  expected: REGON_LENGTHS,
  inWords: '9 or 14',
} as const
const CHARACTERS = 'a REGON has ASCII digits only, with spaces or hyphens between them.'

const PASSED = layers('passed', 'passed', 'not_applicable')
const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const REGON: Profile = {
  type: 'pl-regon',
  ruleset: 'pl-regon:4',
  notChecked: Object.freeze(['REGON register entry']),
  labels: numberLabels('REGON'),
  reasons: {
    ok: 'The value has the right number of digits and the check digits fit.',
    empty: 'The value is empty; a REGON has 9 or 14 digits.',
    label_prefix: 'The value starts with a label; send the REGON alone.',
    all_zero: 'The first nine digits are all zeros; no such REGON is issued.',
    checksum_9: 'The ninth digit does not fit the first eight: a digit is wrong or two are swapped.',
    checksum_14: 'The fourteenth digit does not fit the first thirteen: a digit is wrong or two are swapped.',
  },
  failedLayers: { checksum_9: CHECKSUM_FAILED, checksum_14: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

const FORM = { rule: CHARACTERS, labels: REGON.labels, fits: FITS['pl-regon'], isNumeric: true } as const

export function checkPlRegon(value: string): Verdict {
  const steps = scanNumber(value, DIGIT, SEPARATOR)
  if (steps < 0) return rejected(REGON, 0, foreignCharacter(value, ~steps, FORM))
  const regon = compactNumber(value, steps)
  const code = judgeRegon(regon)
  return code === 'ok' ? acceptedRegon(regon, steps) : rejected(REGON, steps, regonFailure(code, regon))
}

function acceptedRegon(regon: string, steps: number): Verdict {
  return accepted(REGON, maskNumber(regon, SHOWN), {
    code: 'ok',
    ruleset: REGON.ruleset,
    normalization: stepNames(steps),
    layers: PASSED,
    notChecked: REGON.notChecked,
    warnings: NO_WARNINGS,
    kind: regon.length === 9 ? 'entity_9' : 'local_unit_14',
  })
}

function regonFailure(code: VerdictCode, regon: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'all_zero') return { code, hint: 'placeholder_value' }
  if (code === 'checksum_14' && regon.endsWith('00000')) return { code, hint: 'zero_padded_regon9' }
  if (code !== 'length') return unfitDigits(code)
  const failure = digitCountFailure(regon, COUNT)
  return regon.length === OLD_LENGTH && failure.hint === 'leading_zero_lost'
    ? { ...failure, hint: 'old_7_digit_form' }
    : failure
}
