/**
 * IBAN: International Bank Account Number.
 *
 * Sources: ISO 13616-1:2020 (shape, check digits), ISO 7064:2003 MOD 97-10 (check digits 02 to 98, remainder 1),
 * SWIFT IBAN Registry release 102 of June 2026 (countries, lengths, BBAN structures), EPC409-09 version 8.0 of
 * 24 December 2025 (SEPA).
 */
import { ALPHANUMERIC, CHAR_KIND, CHAR_VALUE, DOT, SEPARATOR, UPPER } from './char-kind.ts'
import { foreignCharacter } from './foreign-character.ts'
import { ibanCountry } from './iban-countries.ts'
import { IBAN, ibanFailure } from './iban-failure.ts'
import { ibanNationalCheck } from './iban-national/iban-national.ts'
import { bullets } from './mask.ts'
import { compactNumber, scanNumber, stepNames } from './normalize.ts'
import { accepted, layers, NO_WARNINGS, rejected } from './result.ts'
import type { Verdict, VerdictCode } from './verdict.ts'

const SEPARATORS = SEPARATOR | DOT
const SHOWN = 4
/** Below this a remainder can take one more letter (times 100, plus 35) without leaving 32-bit integers. */
const FOLD_ABOVE = 10_000_000
const QR_IID_FIRST = '30000'
const QR_IID_LAST = '31999'

const PASSED = layers('passed', 'passed', 'not_applicable')
const PASSED_BY_NATION = layers('passed', 'passed', 'passed')
const FAILED_BY_NATION = layers('passed', 'passed', 'failed')
const NATIONAL_FAILED: readonly string[] = Object.freeze(['national_check_failed'])

/** Whether the value is a valid IBAN; the verdict of `checkIban` without its explanation. */
export function isIban(value: string): boolean {
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATORS)
  return steps >= 0 && judgeIban(compactNumber(value, steps, ALPHANUMERIC)) === 'ok'
}

/**
 * Checks an IBAN in any usual grouping and case.
 *
 * The verdict rests on country, length, structure and check digits; the national check digits inside the account
 * number are reported and never decide.
 */
export function checkIban(value: string): Verdict {
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATORS)
  if (steps < 0) return rejected(IBAN, 0, foreignCharacter(value, ~steps))
  const compact = compactNumber(value, steps, ALPHANUMERIC)
  const code = judgeIban(compact)
  return code === 'ok'
    ? acceptedIban(compact, steps)
    : rejected(IBAN, steps, ibanFailure(code, value, compact))
}

/** The first rule that a compact, upper-case IBAN breaks, in order of precedence. */
function judgeIban(iban: string): VerdictCode {
  const size = iban.length
  if (size === 0) return 'empty'
  const first = iban.charCodeAt(0)
  const second = iban.charCodeAt(1)
  if (size < 2 || CHAR_KIND[first] !== UPPER || CHAR_KIND[second] !== UPPER) return 'country_missing'
  const country = ibanCountry(first, second)
  if (country === undefined) return 'country_not_in_registry'
  if (size !== country.length) return 'length'
  const tens = CHAR_VALUE[iban.charCodeAt(2)]!
  const ones = CHAR_VALUE[iban.charCodeAt(3)]!
  if (tens > 9 || ones > 9) return 'check_digits_format'
  const remainder = bbanRemainder(iban, country.kinds)
  if (remainder < 0) return 'structure'
  const checkDigits = tens * 10 + ones
  if (checkDigits < 2 || checkDigits > 98) return 'check_digits_out_of_range'
  const withCountry = (remainder * 10_000 + CHAR_VALUE[first]! * 100 + CHAR_VALUE[second]!) % 97
  return (withCountry * 100 + checkDigits) % 97 === 1 ? 'ok' : 'checksum'
}

/** Remainder of the BBAN modulo 97, or -1 where a character is not of the kind the structure wants. */
function bbanRemainder(iban: string, kinds: Uint8Array): number {
  let remainder = 0
  for (let index = 4; index < kinds.length; index++) {
    const unit = iban.charCodeAt(index)
    if ((CHAR_KIND[unit]! & kinds[index]!) === 0) return -1
    const value = CHAR_VALUE[unit]!
    remainder = remainder * (value < 10 ? 10 : 100) + value
    if (remainder > FOLD_ABOVE) remainder %= 97
  }
  return remainder % 97
}

function acceptedIban(iban: string, steps: number): Verdict {
  const country = ibanCountry(iban.charCodeAt(0), iban.charCodeAt(1))!
  const national = ibanNationalCheck(country.code, iban.slice(4))
  return accepted(IBAN, country.code + bullets(iban.length - 2 - SHOWN) + iban.slice(-SHOWN), {
    code: 'ok',
    ruleset: IBAN.ruleset,
    normalization: stepNames(steps),
    layers: national === 'passed' ? PASSED_BY_NATION : national === 'failed' ? FAILED_BY_NATION : PASSED,
    notChecked: IBAN.notChecked,
    warnings: national === 'failed' ? NATIONAL_FAILED : NO_WARNINGS,
    country: country.code,
    countryName: country.name,
    sepa: country.sepa,
    structure: country.structure,
    segments: country.segments,
    qrIban: isQrIban(country.code, iban),
    nationalCheck: national,
  })
}

/** Swiss and Liechtenstein accounts for QR bills carry an institution number from 30000 to 31999. */
function isQrIban(code: string, iban: string): boolean {
  if (code !== 'CH' && code !== 'LI') return false
  const institution = iban.slice(4, 9)
  return institution >= QR_IID_FIRST && institution <= QR_IID_LAST
}
