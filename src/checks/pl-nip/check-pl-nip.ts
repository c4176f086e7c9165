/**
 * NIP: numer identyfikacji podatkowej, the Polish tax identification number.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers; see `nip-digits.ts` for the digits.
 * One PL prefix is allowed, since the same ten digits are the EU VAT number.
 */

import { foreignCharacter } from '../advice/foreign-character.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { digitCountFailure, FITS } from '../pl/digit-count.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import { ALPHANUMERIC, SEPARATOR } from '../text/char-kind.ts'
import { latinOf } from '../text/character-class.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { maskNumber } from '../text/mask.ts'
import { compactNumber, PREFIX_REMOVED, scanNumber, stepNames } from '../text/normalize.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { hasOfficePrefix, judgeNip, NIP_DIGITS, UNASSIGNED_OFFICE } from './nip-digits.ts'

const SHOWN = 2
const PREFIX = 'PL'
const COUNT = { type: 'pl-nip', name: 'a NIP', expected: NIP_DIGITS, inWords: 'ten' } as const
const CHARACTERS = 'a NIP has ASCII digits only, with spaces or hyphens between them and one PL in front.'

const PASSED = layers('passed', 'passed', 'not_applicable')
const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const NIP: Profile = {
  type: 'pl-nip',
  ruleset: 'pl-nip:4',
  notChecked: Object.freeze(['taxpayer registration']),
  labels: numberLabels('NIP', 'VAT', 'VATIN', 'VAT ID'),
  reasons: {
    ok: 'The value has ten digits and the check digit fits.',
    empty: 'The value is empty; a NIP has ten digits.',
    label_prefix: 'The value starts with a label; send the NIP alone.',
    all_zero: 'The ten digits are all zeros; no such NIP is issued.',
    checksum: 'The tenth digit does not fit the first nine: a digit is wrong or two are swapped.',
    checksum_impossible: 'The first nine digits would need the check digit 10; no NIP starts with them.',
  },
  failedLayers: { checksum: CHECKSUM_FAILED, checksum_impossible: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

const FORM = { rule: CHARACTERS, labels: NIP.labels, fits: fitsWithPrefix, isNumeric: true } as const

export function checkPlNip(value: string): Verdict {
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  const compact = steps < 0 ? '' : compactNumber(value, steps)
  const nip = compact.startsWith(PREFIX) ? compact.slice(PREFIX.length) : compact
  const code = steps < 0 ? 'invalid_character' : compact === PREFIX ? 'length' : judgeNip(nip)
  const allSteps = nip.length < compact.length ? steps | PREFIX_REMOVED : steps
  if (code === 'ok') return acceptedNip(nip, allSteps)
  if (code === 'invalid_character') return rejected(NIP, 0, nipForeignCharacter(value))
  return rejected(NIP, allSteps, nipFailure(code, nip))
}

function acceptedNip(nip: string, steps: number): Verdict {
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

function nipFailure(code: VerdictCode, nip: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'all_zero') return { code, hint: 'placeholder_value' }
  if (code !== 'length') return unfitDigits(code)
  return digitCountFailure(nip, COUNT)
}

const STARTS_WITH_PREFIX = /^[^0-9A-Za-z]*P[^0-9A-Za-z]*L/i

/** Names the first character that is neither a digit, a separator nor part of one PL prefix. */
function nipForeignCharacter(value: string): Failure {
  const scanned = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  const foreign = scanned < 0 ? ~scanned : value.length
  const prefix = STARTS_WITH_PREFIX.exec(Array.from(value, latinOf).join(''))?.[0].length ?? 0
  const letter = value.slice(prefix).search(/[A-Za-z]/)
  return foreignCharacter(value, letter < 0 ? foreign : Math.min(foreign, prefix + letter), FORM)
}

/** The L of the prefix may have been replaced by the digit it looks like. */
function fitsWithPrefix(compact: string): boolean {
  return FITS['pl-nip'](compact.replace(/^P[L1]/, ''))
}
