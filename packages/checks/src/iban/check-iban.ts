/**
 * IBAN: International Bank Account Number.
 *
 * Sources: ISO 13616-1:2020 (shape, check digits), ISO 7064:2003 MOD 97-10 (check digits 02 to 98, remainder 1), the
 * SWIFT IBAN Registry (countries, lengths, BBAN structures), EPC409-09 (SEPA); `skill.json` has their editions.
 */

import { numberCheck } from '../check-number.ts'
import { type FactsOf, type Layers, layers, type WarningOf } from '../profile.ts'
import { accepted, NO_WARNINGS, type VerdictOf } from '../result.ts'
import { ALPHANUMERIC, DOT, SEPARATOR } from '../text/char-kind.ts'
import { maskNumber } from '../text/mask.ts'
import { HEAD, type IbanCountry, ibanCountry } from './countries.ts'
import { ibanFailure } from './failure.ts'
import { judgeIban } from './judge-iban.ts'
import { ibanNationalCheck } from './national/national-check.ts'
import type { NationalOutcome } from './national/outcome.ts'
import { otherAccount } from './other-account.ts'
import { IBAN } from './profile.ts'

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
const NO_FACTS = Object.freeze({})
type IbanProfile = Omit<typeof IBAN, 'ruleset'> & { readonly ruleset: string }

const NATIONAL_NOT_CHECKED: readonly string[] = Object.freeze([
  ...IBAN.notChecked,
  'national check digits (no rule is known that holds for every account)',
])

/** What the list of a country says of the bank code in a valid IBAN. */
export interface BankFinding {
  readonly facts: Pick<FactsOf<typeof IBAN>, 'bank' | 'bankCode'>
  readonly warning?: 'bank_code_unknown'
}
export type FindBank = (iban: string, country: string) => BankFinding | undefined

/** The check without lists of banks, which says so in its ruleset; browsers need no lists. */
export const checkIban = ibanCheck({ ...IBAN, ruleset: `${IBAN.ruleset}/no-banks` } as const, () => undefined)

/** The national check digits inside the account number are reported and do not change the verdict. */
export function ibanCheck(profile: IbanProfile, findBank: FindBank) {
  return numberCheck({
    profile,
    rule: 'an IBAN has ASCII letters and digits only, with spaces, hyphens or full stops between them.',
    keep: ALPHANUMERIC,
    drop: SEPARATOR | DOT,
    judge: judgeIban,
    accept: (iban, steps) => acceptedIban(profile, findBank, iban, steps),
    fail: ibanFailure,
    twice: 'prefix_twice',
    otherNumber: otherAccount,
  })
}

function acceptedIban(
  profile: IbanProfile,
  findBank: FindBank,
  iban: string,
  steps: number,
): VerdictOf<IbanProfile> {
  const country = ibanCountry(iban)!
  const national = ibanNationalCheck(country.code, iban.slice(HEAD))
  const found = findBank(iban, country.code)
  const warnings = warningsOf(national, country)
  const { code, name, sepa, eea, structure, segments } = country
  return accepted(profile, steps, country.code + maskNumber(iban.slice(2), country.shown), {
    layers: PASSED[national],
    notChecked: national === 'not_checked' ? NATIONAL_NOT_CHECKED : IBAN.notChecked,
    warnings: found?.warning === undefined ? warnings : [...warnings, found.warning],
    facts: {
      ...{ country: code, countryName: name, sepa },
      ...(eea === undefined ? NO_FACTS : { eea }),
      ...{ structure, segments, qrIban: isQrIban(code, iban), nationalCheck: national },
    },
    more: found?.facts,
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
