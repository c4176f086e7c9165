/** The six checks and the names of their rule data, by type. */
import { checkEmail } from './email/check-email.ts'
import { EMAIL } from './email/failure.ts'
import { checkEuVat } from './eu-vat/check-eu-vat.ts'
import { EU_VAT } from './eu-vat/failure.ts'
import { checkIban } from './iban/check-iban.ts'
import { IBAN } from './iban/failure.ts'
import { checkPlNip, NIP } from './pl/check-nip.ts'
import { checkPlPesel, PESEL } from './pl/check-pesel.ts'
import { checkPlRegon, REGON } from './pl/check-regon.ts'
import type { Check, CheckType } from './verdict.ts'

/** Every check by its type; pure functions of the value. */
export const CHECKS: Readonly<Record<CheckType, Check>> = Object.freeze({
  iban: checkIban,
  'eu-vat': checkEuVat,
  'pl-nip': checkPlNip,
  'pl-regon': checkPlRegon,
  'pl-pesel': checkPlPesel,
  email: checkEmail,
})

/**
 * The rule data behind each check, as `details.ruleset` names it: a new name whenever a rule changes a verdict.
 *
 * - iban: SWIFT IBAN Registry release 102, June 2026; SEPA by EPC409-09 version 8.0, 24 December 2025.
 * - eu-vat: VIES FAQ, question 11, as transcribed in the KSeF schema type TNipVatUE of 19 May 2026.
 * - pl-nip: Act of 13 October 1995; office prefixes by the Ministry of Finance's type TNrNIP.
 * - pl-regon: Regulation of 30 November 2015, Dz.U. 2015 poz. 2009.
 * - pl-pesel: Act of 24 September 2010, article 15(2).
 * - email: RFC 5321 and RFC 5322 (October 2008), dot-atoms and LDH domains only.
 */
export const RULESETS: Readonly<Record<CheckType, string>> = Object.freeze({
  iban: IBAN.ruleset,
  'eu-vat': EU_VAT.ruleset,
  'pl-nip': NIP.ruleset,
  'pl-regon': REGON.ruleset,
  'pl-pesel': PESEL.ruleset,
  email: EMAIL.ruleset,
})
