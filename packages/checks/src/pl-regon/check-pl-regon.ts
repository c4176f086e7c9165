/**
 * REGON: number in the Polish register of business entities, 9 digits, or 14 for a local unit.
 *
 * Source: Public Statistics Act of 29 June 1995, articles 41 and 42; see `regon-digits.ts` for the digits.
 */

import { unfitDigits } from '../advice/suspect-positions.ts'
import { numberCheck } from '../check-number.ts'
import { digitCountFailure, fitsWithZeros, isPeselOfTheLiving } from '../pl/digit-count.ts'
import { type HintOf, layers } from '../profile.ts'
import { accepted, type FailureOf, type VerdictOf } from '../result.ts'
import { DIGIT, SEPARATOR } from '../text/char-kind.ts'
import { maskNumber } from '../text/mask.ts'
import { REGON } from './profile.ts'
import { judgeRegon, REGON_LENGTHS, type RegonCode } from './regon-digits.ts'

const SHOWN = 2
/** Digits of the form used before about 1990, which two leading zeros turned into today's. */
const OLD_LENGTH = 7
const COUNT = { name: 'a REGON', expected: REGON_LENGTHS, inWords: '9 or 14' }

const PASSED = layers('passed', 'passed', 'not_applicable')

export const checkPlRegon = numberCheck({
  profile: REGON,
  rule: 'a REGON has ASCII digits only, with spaces or hyphens between them.',
  keep: DIGIT,
  drop: SEPARATOR,
  judge: judgeRegon,
  accept: acceptedRegon,
  fail: (code, _value, regon) => regonFailure(code, regon),
})

function acceptedRegon(regon: string, steps: number): VerdictOf<typeof REGON> {
  return accepted(REGON, steps, maskNumber(regon, SHOWN), {
    layers: PASSED,
    facts: { kind: regon.length === 9 ? 'entity_9' : 'local_unit_14' },
  })
}

function regonFailure(code: Exclude<RegonCode, 'ok'>, regon: string): FailureOf<typeof REGON> {
  if (code === 'empty') return { code }
  if (code === 'all_zero') return { code, hint: 'placeholder_value' }
  if (code === 'checksum_14' && regon.endsWith('00000')) return { code, hint: 'zero_padded_regon9' }
  if (code !== 'length') return unfitDigits(code)
  return digitCountFailure(regon, COUNT, lengthHint(regon))
}

/** A number of nine digits must lack two or three zeros, because too many values fit with one. */
function lengthHint(regon: string): HintOf<typeof REGON> | undefined {
  const { length } = regon
  if (length >= OLD_LENGTH - 1 && length <= OLD_LENGTH && fitsWithZeros(regon, 9, judgeRegon))
    return length === OLD_LENGTH ? 'old_7_digit_form' : 'leading_zero_lost'
  if (isPeselOfTheLiving(regon)) return 'may_be_pesel'
  return length >= 11 && fitsWithZeros(regon, 14, judgeRegon) ? 'leading_zero_lost' : undefined
}
