/**
 * NIP: numer identyfikacji podatkowej, the Polish tax identification number.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers; see `nip-digits.ts` for the digits.
 * One PL prefix is allowed, since the same ten digits are the EU VAT number.
 */

import { advise } from '../advice/advise.ts'
import { foreignCharacter } from '../advice/foreign-character.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { otherNumber } from '../eu-vat/other-number.ts'
import { digitCountFailure, isPeselOfTheLiving } from '../pl/digit-count.ts'
import { layers } from '../profile.ts'
import { accepted, type FailureOf, NO_WARNINGS, rejected, type VerdictOf } from '../result.ts'
import type { NumberFailure } from '../shared-profile.ts'
import { ALPHANUMERIC, SEPARATOR } from '../text/char-kind.ts'
import { latinOf } from '../text/character-class.ts'
import { maskNumber } from '../text/mask.ts'
import { compactNumber, PREFIX_REMOVED, scanNumber, stepNames } from '../text/normalize.ts'
import { hasOfficePrefix, judgeNip, NIP_DIGITS, type NipCode, UNASSIGNED_OFFICE } from './nip-digits.ts'
import { NIP } from './profile.ts'

const SHOWN = 2
const PREFIX = 'PL'
const COUNT = { name: 'a NIP', expected: NIP_DIGITS, inWords: 'ten' } as const
const CHARACTERS = 'a NIP has ASCII digits only, with spaces or hyphens between them and one PL in front.'

const PASSED = layers('passed', 'passed', 'not_applicable')

const FORM = {
  ...{ rule: CHARACTERS, labels: NIP.labels, fits: fitsWithPrefix, isNumeric: true },
  twice: 'prefix_twice',
  otherNumber,
} as const

export function checkPlNip(value: string): VerdictOf<typeof NIP> {
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  const compact = steps < 0 ? '' : compactNumber(value, steps)
  const nip = compact.startsWith(PREFIX) ? compact.slice(PREFIX.length) : compact
  const code = steps < 0 ? 'invalid_character' : compact === PREFIX ? 'length' : judgeNip(nip)
  const allSteps = nip.length < compact.length ? steps | PREFIX_REMOVED : steps
  if (code === 'ok') return acceptedNip(nip, allSteps)
  if (code === 'invalid_character') return rejected(NIP, 0, advise(nipForeignCharacter(value), value, FORM))
  return rejected(NIP, allSteps, advise(nipFailure(code, nip), value, FORM))
}

function acceptedNip(nip: string, steps: number): VerdictOf<typeof NIP> {
  const matches = hasOfficePrefix(nip)
  return accepted(NIP, maskNumber(nip, SHOWN), {
    code: 'ok',
    ruleset: NIP.ruleset,
    normalization: stepNames(steps),
    layers: PASSED,
    notChecked: NIP.notChecked,
    warnings: matches ? NO_WARNINGS : UNASSIGNED_OFFICE,
    mfSchema: matches ? 'match' : 'mismatch',
  })
}

function nipFailure(code: Exclude<NipCode, 'ok'>, nip: string): FailureOf<typeof NIP> {
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
