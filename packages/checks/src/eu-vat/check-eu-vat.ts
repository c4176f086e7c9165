/**
 * EU VAT identification number, with its prefix.
 *
 * Source: European Commission, VIES FAQ, question 11 "VAT identification number structure", as transcribed by the
 * Polish Ministry of Finance in the KSeF schema type TNipVatUE. The verdict is the structure alone, plus the NIP's
 * check digit for PL; the check digits of the other states are reported and never decide.
 */

import { numberCheck } from '../check-number.ts'
import { hasOfficePrefix, UNASSIGNED_OFFICE } from '../pl-nip/nip-digits.ts'
import { layers, type WarningOf } from '../profile.ts'
import { accepted, NO_WARNINGS, type VerdictOf } from '../result.ts'
import { ALPHANUMERIC, DOT, PLUS_STAR, SEPARATOR } from '../text/char-kind.ts'
import { bullets } from '../text/mask.ts'
import { VAT_FORM, vatFailure, vatForeignCharacter } from './failure.ts'
import { judgeVat } from './judge-vat.ts'
import { EU_VAT } from './profile.ts'
import { formatOf, PREFIX, vatState } from './vat-state.ts'

const SHOWN = 2
/** Shorter national parts are hidden altogether. */
const SHOWN_FROM = 8

const PASSED = layers('passed', 'not_applicable', 'passed')
const PASSED_WITH_CHECKSUM = layers('passed', 'passed', 'passed')
const NATION_FAILED = layers('passed', 'not_applicable', 'failed')
const NATION_FAILED_WARNING: readonly WarningOf<typeof EU_VAT>[] = Object.freeze(['national_check_failed'])

export const checkEuVat = numberCheck({
  ...VAT_FORM,
  keep: ALPHANUMERIC | PLUS_STAR,
  drop: SEPARATOR | DOT,
  judge: judgeVat,
  accept: acceptedVat,
  fail: vatFailure,
  foreign: vatForeignCharacter,
})

function acceptedVat(vat: string, steps: number): VerdictOf<typeof EU_VAT> {
  const found = vatState(vat)!
  const { state } = found
  const national = vat.slice(PREFIX)
  const passes = state.national.passes(national)
  const isPolish = state.prefix === 'PL'
  const holder = passes ? state.holder?.(national) : undefined
  const { register } = state
  const hasRegister = passes && register !== undefined && register.holds?.(national) !== false
  return accepted(EU_VAT, steps, state.prefix + maskNational(national), {
    layers: isPolish ? PASSED_WITH_CHECKSUM : passes ? PASSED : NATION_FAILED,
    warnings: isPolish ? polishWarnings(national) : passes ? NO_WARNINGS : NATION_FAILED_WARNING,
    facts: {
      country: state.prefix,
      countryName: state.country,
      format: formatOf(vat, found)!.display,
      nationalCheck: passes ? found.passed : found.failed,
      euMember: state.euMember !== false,
      ...(holder && { holder }),
      ...(hasRegister && { registerNumber: register.name }),
    },
  })
}

function maskNational(national: string): string {
  if (national.length < SHOWN_FROM) return bullets(national.length)
  return bullets(national.length - SHOWN) + national.slice(-SHOWN)
}

function polishWarnings(nip: string): readonly WarningOf<typeof EU_VAT>[] {
  return hasOfficePrefix(nip) ? NO_WARNINGS : UNASSIGNED_OFFICE
}
