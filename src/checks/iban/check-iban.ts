/**
 * IBAN: International Bank Account Number.
 *
 * Sources: ISO 13616-1:2020 (shape, check digits), ISO 7064:2003 MOD 97-10 (check digits 02 to 98, remainder 1), the
 * SWIFT IBAN Registry (countries, lengths, BBAN structures), EPC409-09 (SEPA); `skill.json` has their editions.
 */

import { advise } from '../advice/advise.ts'
import { foreignCharacter } from '../advice/foreign-character.ts'
import { type Layers, layers, type WarningOf } from '../profile.ts'
import { accepted, NO_WARNINGS, rejected, type VerdictOf } from '../result.ts'
import { ALPHANUMERIC, DOT, SEPARATOR } from '../text/char-kind.ts'
import { bullets } from '../text/mask.ts'
import { compactNumber, scanNumber, stepNames } from '../text/normalize.ts'
import { HEAD, type IbanCountry, ibanCountry } from './countries.ts'
import { IBAN_CHARACTERS, ibanFailure } from './failure.ts'
import { judgeIban } from './judge-iban.ts'
import { ibanNationalCheck } from './national/national-check.ts'
import type { NationalOutcome } from './national/outcome.ts'
import { nationalAccount } from './national-account.ts'
import { IBAN } from './profile.ts'
import { fitsIban } from './suspects.ts'

const FORM = {
  ...{ rule: IBAN_CHARACTERS, labels: IBAN.labels, fits: fitsIban, isNumeric: false },
  twice: 'prefix_twice',
  otherNumber: nationalAccount,
} as const
const SEPARATORS = SEPARATOR | DOT
const SHOWN = 4
const QR_IID_FIRST = '30000'
const QR_IID_LAST = '31999'

const PASSED: Readonly<Record<NationalOutcome, Layers>> = {
  passed: layers('passed', 'passed', 'passed'),
  failed: layers('passed', 'passed', 'failed'),
  not_checked: layers('passed', 'passed', 'not_checked'),
  not_applicable: layers('passed', 'passed', 'not_applicable'),
}
const NATIONAL_FAILED: readonly WarningOf<typeof IBAN>[] = Object.freeze(['national_check_failed'])
const TERRITORY: readonly WarningOf<typeof IBAN>[] = Object.freeze(['sepa_depends_on_territory'])
const BOTH: readonly WarningOf<typeof IBAN>[] = Object.freeze([...NATIONAL_FAILED, ...TERRITORY])
const NATIONAL_NOT_CHECKED: readonly string[] = Object.freeze([
  ...IBAN.notChecked,
  'national check digits (the rule differs by bank or kind of account)',
])

/** The national check digits inside the account number are reported and do not change the verdict. */
export function checkIban(value: string): VerdictOf<typeof IBAN> {
  const steps = scanNumber(value, ALPHANUMERIC, SEPARATORS)
  if (steps < 0) return rejected(IBAN, 0, advise(foreignCharacter(value, ~steps, FORM), value, FORM))
  const iban = compactNumber(value, steps)
  const code = judgeIban(iban)
  return code === 'ok'
    ? acceptedIban(iban, steps)
    : rejected(IBAN, steps, advise(ibanFailure(code, value, iban), value, FORM))
}

function acceptedIban(iban: string, steps: number): VerdictOf<typeof IBAN> {
  const country = ibanCountry(iban)!
  const national = ibanNationalCheck(country.code, iban.slice(HEAD))
  return accepted(IBAN, country.code + bullets(iban.length - 2 - SHOWN) + iban.slice(-SHOWN), {
    code: 'ok',
    ruleset: IBAN.ruleset,
    normalization: stepNames(steps),
    layers: PASSED[national],
    notChecked: national === 'not_checked' ? NATIONAL_NOT_CHECKED : IBAN.notChecked,
    warnings: warningsOf(national, country),
    country: country.code,
    countryName: country.name,
    sepa: country.sepa,
    structure: country.structure,
    segments: country.segments,
    qrIban: isQrIban(country.code, iban),
    nationalCheck: national,
  })
}

function warningsOf(
  national: NationalOutcome,
  { sepaByTerritory }: IbanCountry,
): readonly WarningOf<typeof IBAN>[] {
  if (national === 'failed') return sepaByTerritory ? BOTH : NATIONAL_FAILED
  return sepaByTerritory ? TERRITORY : NO_WARNINGS
}

/** Accounts for Swiss QR bills have an institution number from 30000 to 31999. */
function isQrIban(code: string, iban: string): boolean {
  if (code !== 'CH' && code !== 'LI') return false
  const institution = iban.slice(4, 9)
  return institution >= QR_IID_FIRST && institution <= QR_IID_LAST
}
