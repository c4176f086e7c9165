/** The checks as the service sells them. */
import { checkIbanAndBank } from './iban/check-iban-and-bank.ts'
import { IBAN } from './iban/profile.ts'
import { CHECKS as LIGHT, PROFILES } from './light-checks.ts'
import type { CheckType } from './verdict.ts'

export const CHECKS: typeof LIGHT = Object.freeze({ ...LIGHT, [IBAN.type]: checkIbanAndBank })

/** `details.ruleset` of each check: a new name whenever a rule changes a result. */
export const RULESETS = Object.freeze(
  Object.fromEntries(Object.entries(PROFILES).map(([type, { ruleset }]) => [type, ruleset])),
) as Readonly<Record<CheckType, string>>
