/**
 * IBAN: International Bank Account Number.
 *
 * Sources: ISO 13616-1:2020 (shape, check digits), ISO 7064:2003 MOD 97-10 (check digits 02 to 98, remainder 1), the
 * SWIFT IBAN Registry (countries, lengths, BBAN structures), EPC409-09 (SEPA); `skill.json` has their editions.
 */

import { numberCheck } from '../check-number.ts'
import { type Layers, layers, type WarningOf } from '../profile.ts'
import { accepted, NO_WARNINGS, type VerdictOf } from '../result.ts'
import { ALPHANUMERIC, DOT, SEPARATOR } from '../text/char-kind.ts'
import { bullets } from '../text/mask.ts'
import { HEAD, type IbanCountry, ibanCountry } from './countries.ts'
import { ibanFailure } from './failure.ts'
import { judgeIban } from './judge-iban.ts'
import { ibanNationalCheck } from './national/national-check.ts'
import type { NationalOutcome } from './national/outcome.ts'
import { nationalAccount } from './national-account.ts'
import { IBAN } from './profile.ts'

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
export const checkIban = numberCheck({
  profile: IBAN,
  rule: 'an IBAN has ASCII letters and digits only, with spaces, hyphens or full stops between them.',
  keep: ALPHANUMERIC,
  drop: SEPARATOR | DOT,
  judge: judgeIban,
  accept: acceptedIban,
  fail: ibanFailure,
  twice: 'prefix_twice',
  otherNumber: nationalAccount,
})

function acceptedIban(iban: string, steps: number): VerdictOf<typeof IBAN> {
  const country = ibanCountry(iban)!
  const national = ibanNationalCheck(country.code, iban.slice(HEAD))
  return accepted(IBAN, steps, country.code + bullets(iban.length - 2 - SHOWN) + iban.slice(-SHOWN), {
    layers: PASSED[national],
    notChecked: national === 'not_checked' ? NATIONAL_NOT_CHECKED : IBAN.notChecked,
    warnings: warningsOf(national, country),
    facts: {
      country: country.code,
      countryName: country.name,
      sepa: country.sepa,
      structure: country.structure,
      segments: country.segments,
      qrIban: isQrIban(country.code, iban),
      nationalCheck: national,
    },
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
