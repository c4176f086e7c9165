/**
 * EU VAT identification number, with its prefix.
 *
 * Source: European Commission, VIES FAQ, question 11 "VAT identification number structure", as transcribed by the
 * Polish Ministry of Finance in the KSeF schema type TNipVatUE (19 May 2026). The verdict is the structure alone,
 * plus the NIP's check digit for PL; the check digits of the other states are reported and never decide.
 */
import { ALPHANUMERIC, CHARS, DOT, PLUS_STAR, SEPARATOR, UPPER } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { bullets } from '../mask.ts'
import { compactNumber, scanNumber, stepNames } from '../normalize.ts'
import { hasOfficePrefix, judgeNipDigits, UNASSIGNED_OFFICE } from '../pl/nip-digits.ts'
import { accepted, layers, NO_WARNINGS, rejected } from '../result.ts'
import type { Verdict, VerdictCode } from '../verdict.ts'
import { type VatState, vatState } from './compiled-states.ts'
import { EU_VAT, vatFailure } from './failure.ts'
import { foreignVatCode } from './foreign-prefix.ts'
import { matchesVatFormat, PREFIX, type VatFormat } from './format.ts'

const KEEP = ALPHANUMERIC | PLUS_STAR
const DROP = SEPARATOR | DOT
const NO_FORMATS: readonly VatFormat[] = []
const SHOWN = 2
/** Shorter national parts are hidden altogether. */
const SHOWN_FROM = 8

const PASSED = layers('passed', 'not_applicable', 'passed')
const PASSED_WITH_CHECKSUM = layers('passed', 'passed', 'passed')
const NATION_FAILED = layers('passed', 'not_applicable', 'failed')
const NATION_FAILED_WARNING: readonly string[] = Object.freeze(['national_check_failed'])

/** Whether the value is valid; the verdict of `checkEuVat` without its explanation. */
export function isEuVat(value: string): boolean {
  if (judgeVat(value) === 'ok') return true
  const steps = scanNumber(value, KEEP, DROP)
  return steps > 0 && judgeVat(compactNumber(value, steps)) === 'ok'
}

/** Checks a VAT number of a member state or of Northern Ireland (XI), prefix included. */
export function checkEuVat(value: string): Verdict {
  if (judgeVat(value) === 'ok') return acceptedVat(value, 0)
  const steps = scanNumber(value, KEEP, DROP)
  if (steps < 0) return rejected(EU_VAT, 0, foreignCharacter(value, ~steps))
  const vat = compactNumber(value, steps)
  const code = judgeVat(vat)
  return code === 'ok' ? acceptedVat(vat, steps) : rejected(EU_VAT, steps, vatFailure(code, value, vat))
}

/**
 * The first rule that a compact, upper-case VAT number breaks, in order of precedence.
 *
 * Takes any string: a raw value that it finds "ok" needs no normalisation, which is the common case and the fast one.
 */
function judgeVat(vat: string): VerdictCode {
  if (vat.length === 0) return 'empty'
  const first = vat.charCodeAt(0)
  const second = vat.charCodeAt(1)
  const prefixed = vat.length > 1 && (CHARS[first]! & CHARS[second]! & UPPER) !== 0
  const found = prefixed ? vatState(first, second) : undefined
  if (found !== undefined && matchedFormat(vat, found) !== undefined) {
    return found.state.prefix === 'PL' ? judgeNipDigits(vat, PREFIX) : 'ok'
  }
  // "+" and "*" belong to old Irish numbers alone.
  if (found?.state.prefix !== 'IE' && /[+*]/.test(vat)) return 'invalid_character'
  if (found !== undefined) return 'format'
  return prefixed ? foreignVatCode(vat) : 'prefix_missing'
}

function matchedFormat(vat: string, { byLength }: VatState): VatFormat | undefined {
  const formats = vat.length < byLength.length ? byLength[vat.length]! : NO_FORMATS
  for (let index = 0; index < formats.length; index++) {
    const format = formats[index]!
    if (matchesVatFormat(vat, format)) return format
  }
  return undefined
}

function acceptedVat(vat: string, steps: number): Verdict {
  const found = vatState(vat.charCodeAt(0), vat.charCodeAt(1))!
  const { state } = found
  const national = vat.slice(PREFIX)
  const passes = state.national.passes(national)
  const polish = state.prefix === 'PL'
  return accepted(EU_VAT, state.prefix + maskNational(national), {
    code: 'ok',
    ruleset: EU_VAT.ruleset,
    normalization: stepNames(steps),
    layers: polish ? PASSED_WITH_CHECKSUM : passes ? PASSED : NATION_FAILED,
    notChecked: EU_VAT.notChecked,
    warnings: polish ? polishWarnings(national) : passes ? NO_WARNINGS : NATION_FAILED_WARNING,
    country: state.prefix,
    countryName: state.country,
    format: matchedFormat(vat, found)!.display,
    nationalCheck: passes ? found.passed : found.failed,
    euMember: state.euMember,
  })
}

function maskNational(national: string): string {
  if (national.length < SHOWN_FROM) return bullets(national.length)
  return bullets(national.length - SHOWN) + national.slice(-SHOWN)
}

function polishWarnings(nip: string): readonly string[] {
  return hasOfficePrefix(nip) ? NO_WARNINGS : UNASSIGNED_OFFICE
}
