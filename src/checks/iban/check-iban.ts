/**
 * IBAN: International Bank Account Number.
 *
 * Sources: ISO 13616-1:2020 (shape, check digits), ISO 7064:2003 MOD 97-10 (check digits 02 to 98, remainder 1),
 * SWIFT IBAN Registry release 102 of June 2026 (countries, lengths, BBAN structures), EPC409-09 version 8.0 of
 * 24 December 2025 (SEPA).
 */
import { ALPHANUMERIC, DOT, SEPARATOR } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { bullets } from '../mask.ts'
import { compactNumber, scanNumber, stepNames } from '../normalize.ts'
import { accepted, layers, NO_WARNINGS, rejected } from '../result.ts'
import type { Verdict } from '../verdict.ts'
import { ibanCountry } from './countries.ts'
import { IBAN, ibanFailure } from './failure.ts'
import { ibanNationalCheck } from './national/national-check.ts'
import { ibanRemainder, UNREAD } from './remainder.ts'

const SEPARATORS = SEPARATOR | DOT
const SHOWN = 4
const QR_IID_FIRST = '30000'
const QR_IID_LAST = '31999'

const PASSED = layers('passed', 'passed', 'not_applicable')
const PASSED_BY_NATION = layers('passed', 'passed', 'passed')
const FAILED_BY_NATION = layers('passed', 'passed', 'failed')
const NATIONAL_FAILED: readonly string[] = Object.freeze(['national_check_failed'])

/** Whether the value is a valid IBAN; the verdict of `checkIban` without its explanation. */
export function isIban(value: string): boolean {
  const remainder = ibanRemainder(value)
  if (remainder !== UNREAD) return remainder === 1
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATORS)
  return steps > 0 && ibanRemainder(compactNumber(value, steps)) === 1
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
  const iban = compactNumber(value, steps)
  return ibanRemainder(iban) === 1
    ? acceptedIban(iban, steps)
    : rejected(IBAN, steps, ibanFailure(value, iban))
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
