/**
 * NIP: numer identyfikacji podatkowej, the Polish tax identification number.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers; see `nip-digits.ts` for the digits.
 * One PL prefix is allowed, since the same ten digits are the EU VAT number.
 */

import { foreignCharacter } from '../advice/foreign-character.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { numberCheck } from '../check-number.ts'
import { otherNumber } from '../eu-vat/other-number.ts'
import { digitCountFailure, isPeselOfTheLiving } from '../pl/digit-count.ts'
import { layers } from '../profile.ts'
import { accepted, type FailureOf, NO_WARNINGS, type VerdictOf } from '../result.ts'
import type { NumberFailure } from '../shared-profile.ts'
import { ALPHANUMERIC, SEPARATOR } from '../text/char-kind.ts'
import { latinOf } from '../text/character-class.ts'
import { maskNumber } from '../text/mask.ts'
import { scanNumber } from '../text/normalize.ts'
import { hasOfficePrefix, judgeNip, NIP_DIGITS, type NipCode, UNASSIGNED_OFFICE } from './nip-digits.ts'
import { NIP } from './profile.ts'

const SHOWN = 2
const COUNT = { name: 'a NIP', expected: NIP_DIGITS, inWords: 'ten' } as const

const PASSED = layers('passed', 'passed', 'not_applicable')

const FORM = {
  profile: NIP,
  rule: 'a NIP has ASCII digits only, with spaces or hyphens between them and one PL in front.',
  fits: fitsWithPrefix,
  twice: 'prefix_twice',
  otherNumber,
} as const

export const checkPlNip = numberCheck({
  ...FORM,
  keep: ALPHANUMERIC,
  drop: SEPARATOR,
  judge: (nip, compact) => (nip === '' && compact !== '' ? 'length' : judgeNip(nip)),
  accept: acceptedNip,
  fail: (code, value, nip) =>
    code === 'invalid_character' ? nipForeignCharacter(value) : nipFailure(code, nip),
  foreign: nipForeignCharacter,
})

function acceptedNip(nip: string, steps: number): VerdictOf<typeof NIP> {
  const matches = hasOfficePrefix(nip)
  return accepted(NIP, steps, maskNumber(nip, SHOWN), {
    layers: PASSED,
    warnings: matches ? NO_WARNINGS : UNASSIGNED_OFFICE,
    facts: { mfSchema: matches ? 'match' : 'mismatch' },
  })
}

function nipFailure(code: Exclude<NipCode, 'ok' | 'invalid_character'>, nip: string): FailureOf<typeof NIP> {
  if (code === 'empty') return { code }
  if (code === 'all_zero') return { code, hint: 'placeholder_value' }
  if (code !== 'length') return unfitDigits(code)
  // No NIP starts with a zero, so none is lost; and too many other values fit one check digit to suggest a REGON.
  return digitCountFailure(nip, COUNT, isPeselOfTheLiving(nip) ? 'may_be_pesel' : undefined)
}

const STARTS_WITH_PREFIX = /^[^0-9A-Za-z]*P[^0-9A-Za-z]*L/i

/** Names the first character that is neither a digit, a separator nor part of one PL prefix. */
function nipForeignCharacter(value: string): NumberFailure {
  const scanned = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  const foreign = scanned < 0 ? ~scanned : value.length
  const prefix = STARTS_WITH_PREFIX.exec(Array.from(value, latinOf).join(''))?.[0].length ?? 0
  const letter = value.slice(prefix).search(/[A-Za-z]/)
  return foreignCharacter(value, letter < 0 ? foreign : Math.min(foreign, prefix + letter), FORM)
}

/** The L of the prefix may have been replaced by the digit it looks like. */
function fitsWithPrefix(compact: string): boolean {
  return judgeNip(compact.replace(/^P[L1]/, '')) === 'ok'
}
