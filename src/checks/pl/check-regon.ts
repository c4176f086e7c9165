/**
 * REGON: number in the Polish register of business entities, 9 digits, or 14 for a local unit.
 *
 * Sources: Public Statistics Act of 29 June 1995, articles 41 and 42; Regulation of 30 November 2015 (Dz.U. 2015
 * poz. 2009); Statistics Poland: the first nine digits of a 14-digit number are the parent's own REGON. Weights
 * 8 9 2 3 4 5 6 7 and 2 4 8 5 0 9 7 3 6 1 2 4 8, the sum modulo 11 (10 counts as 0) is the last digit.
 */
import { CHARS, DIGIT, SEPARATOR, VALUE } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { maskNumber } from '../mask.ts'
import { compactNumber, scanNumber, stepNames } from '../normalize.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { digitCountReason, isJudgedOk, NO_DIGITS, otherNumberHint, weightedDigits } from './digits.ts'

const SHOWN = 2
const NO_PARENT = '000000000'
const WEIGHTS_9: readonly number[] = [8, 9, 2, 3, 4, 5, 6, 7]
const WEIGHTS_14: readonly number[] = [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]
const LENGTHS: readonly number[] = Object.freeze([9, 14])
/** Digits of the form used before about 1990, which two leading zeros turned into today's. */
const OLD_LENGTH = 7

const PASSED = layers('passed', 'passed', 'not_applicable')
const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const REGON: Profile = {
  type: 'pl-regon',
  ruleset: 'pl-regon:1',
  notChecked: Object.freeze(['REGON register entry']),
  reasons: {
    ok: 'The value has the right number of digits and the check digits fit.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the REGON alone.',
    invalid_character: 'A REGON has ASCII digits only, besides spaces and hyphens between them.',
    all_zero: 'A REGON of zeros is not issued.',
    checksum_9: 'The ninth digit does not fit the first eight.',
    checksum_14: 'The fourteenth digit does not fit the first thirteen.',
  },
  failedLayers: { checksum_9: CHECKSUM_FAILED, checksum_14: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

/** Whether the value is a valid REGON; the verdict of `checkPlRegon` without its explanation. */
export function isPlRegon(value: string): boolean {
  return isJudgedOk(value, judgeRegon)
}

/** Checks a REGON of 9 or 14 digits, grouped or not. */
export function checkPlRegon(value: string): Verdict {
  if (judgeRegon(value) === 'ok') return acceptedRegon(value, 0)
  const steps = scanNumber(value, DIGIT, SEPARATOR)
  if (steps < 0) return rejected(REGON, 0, foreignCharacter(value, ~steps))
  const regon = compactNumber(value, steps)
  const code = judgeRegon(regon)
  return code === 'ok'
    ? acceptedRegon(regon, steps)
    : rejected(REGON, steps, regonFailure(code, value, regon))
}

/** The first rule that the digits break, in order of precedence. */
function judgeRegon(regon: string): VerdictCode {
  if (regon.length !== 9 && regon.length !== 14) return regon.length === 0 ? 'empty' : 'length'
  const sum9 = weightedDigits(regon, WEIGHTS_9)
  const sum14 = regon.length === 9 ? 0 : weightedDigits(regon, WEIGHTS_14)
  if (sum9 === NO_DIGITS || sum14 === NO_DIGITS) return 'invalid_character'
  if (!endsWithDigit(regon)) return 'invalid_character'
  if (regon.startsWith(NO_PARENT)) return 'all_zero'
  if (!digitFits(regon, 8, sum9)) return 'checksum_9'
  return regon.length === 9 || digitFits(regon, 13, sum14) ? 'ok' : 'checksum_14'
}

/** Whether the digit at `index` is the sum modulo 11, 10 counting as 0. */
function digitFits(regon: string, index: number, sum: number): boolean {
  return (sum % 11) % 10 === (CHARS[regon.charCodeAt(index)]! & VALUE)
}

function endsWithDigit(regon: string): boolean {
  return (CHARS[regon.charCodeAt(regon.length - 1)]! & DIGIT) !== 0
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

function regonFailure(code: VerdictCode, value: string, regon: string): Failure {
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  if (code === 'checksum_14' && regon.endsWith('00000')) return { code, hint: 'zero_padded_regon9' }
  if (code !== 'length') return { code }
  return {
    code,
    reason: digitCountReason('REGON', '9 or 14', regon.length),
    hint: regon.length === OLD_LENGTH ? 'old_7_digit_form' : otherNumberHint(regon.length),
    length: { expected: LENGTHS, actual: regon.length },
  }
}
