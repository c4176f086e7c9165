/**
 * NIP: numer identyfikacji podatkowej, the Polish tax identification number.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers; see `nip-digits.ts` for the digits.
 * One PL prefix is allowed, since the same ten digits are the EU VAT number.
 */
import { ALPHANUMERIC, CHARS, DIGIT, SEPARATOR } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { maskNumber } from '../mask.ts'
import { compactNumber, PREFIX_REMOVED, SEPARATORS_REMOVED, scanNumber, stepNames } from '../normalize.ts'
import { accepted, type Failure, layers, NO_WARNINGS, type Profile, rejected } from '../result.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { digitCountReason, otherNumberHint } from './digits.ts'
import { hasOfficePrefix, judgeNipDigits, UNASSIGNED_OFFICE } from './nip-digits.ts'

const DIGITS = 10
const SHOWN = 2
const PREFIX = 'PL'

const PASSED = layers('passed', 'passed', 'not_applicable')
const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const NIP: Profile = {
  type: 'pl-nip',
  ruleset: 'pl-nip:1',
  notChecked: Object.freeze(['taxpayer registration']),
  reasons: {
    ok: 'The value has ten digits and the check digit fits.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the NIP alone.',
    invalid_character:
      'A NIP has ASCII digits only, besides spaces and hyphens between them and one PL in front.',
    all_zero: 'A NIP of zeros is not issued.',
    checksum: 'The tenth digit does not fit the first nine.',
    checksum_impossible: 'No NIP starts with these nine digits: their check digit would be 10.',
  },
  failedLayers: { checksum: CHECKSUM_FAILED, checksum_impossible: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
}

/** Whether the value is a valid NIP; the verdict of `checkPlNip` without its explanation. */
export function isPlNip(value: string): boolean {
  const code = judgeNip(value)
  if (code !== 'length' && code !== 'invalid_character') return code === 'ok'
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  return steps >= 0 && judgeNip(withoutPrefix(compactNumber(value, steps))) === 'ok'
}

/** Checks a NIP, grouped or not, with or without its PL prefix. */
export function checkPlNip(value: string): Verdict {
  if (judgeNip(value) === 'ok') return acceptedNip(value, 0)
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATOR)
  if (steps < 0) return rejected(NIP, 0, foreignCharacter(value, nonDigitIndex(value, ~steps)))
  const compact = compactNumber(value, steps)
  const nip = withoutPrefix(compact)
  const code = compact === PREFIX ? 'length' : judgeNip(nip)
  const allSteps = nip.length < compact.length ? steps | PREFIX_REMOVED : steps
  return code === 'ok' ? acceptedNip(nip, allSteps) : rejected(NIP, allSteps, nipFailure(code, value, nip))
}

function withoutPrefix(compact: string): string {
  return compact.startsWith(PREFIX) ? compact.slice(PREFIX.length) : compact
}

/** The first rule that the digits break, in order of precedence. */
function judgeNip(nip: string): VerdictCode {
  if (nip.length === DIGITS) return judgeNipDigits(nip)
  if (nip.length === 0) return 'empty'
  return hasOnlyDigits(nip) ? 'length' : 'invalid_character'
}

/** Only the NIP lets letters through the scan, for the sake of its prefix. */
function hasOnlyDigits(nip: string): boolean {
  for (let index = 0; index < nip.length; index++) {
    if ((CHARS[nip.charCodeAt(index)]! & DIGIT) === 0) return false
  }
  return true
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

function nipFailure(code: VerdictCode, value: string, nip: string): Failure {
  if (code === 'invalid_character') return foreignCharacter(value, nonDigitIndex(value, value.length))
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  if (code !== 'length') return { code }
  return {
    code,
    reason: digitCountReason('NIP', 'ten', nip.length),
    hint: otherNumberHint(nip.length),
    length: { expected: DIGITS, actual: nip.length },
  }
}

/** Index of the first letter that is not part of one PL prefix, or `end` when none stands before it. */
function nonDigitIndex(value: string, end: number): number {
  const letters = compactNumber(value, SEPARATORS_REMOVED).slice(0, 2).toUpperCase()
  let allowed = letters === PREFIX ? 2 : 0
  for (let index = 0; index < end; index++) {
    const kind = CHARS[value.charCodeAt(index)]!
    if ((kind & ALPHANUMERIC & ~DIGIT) !== 0 && allowed-- <= 0) return index
  }
  return end
}
