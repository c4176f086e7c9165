import { belgianCheck } from './belgian-mod97.ts'
import { croatianCheck } from './croatian-mod11-10.ts'
import { finnishCheck } from './finnish-luhn.ts'
import { icelandicCheck } from './icelandic-kennitala.ts'
import { italianCheck } from './italian-cin.ts'
import { mod97Then10Check } from './mod97-10.ts'
import { norwegianCheck } from './norwegian-mod11.ts'
import type { NationalBbanCheck, NationalOutcome } from './outcome.ts'
import { ribKeyCheck } from './rib-key.ts'
import { russianCheck } from './russian-key.ts'
import { spanishCheck } from './spanish-control-digits.ts'
import {
  albanianCheck,
  czechSlovakCheck,
  estonianCheck,
  hungarianCheck,
  polishCheck,
} from './weighted-parts.ts'

/** The Netherlands withdrew the rule of their account numbers. */
const ruleWithdrawn: NationalBbanCheck = () => 'not_applicable'

const RULES: readonly (readonly [rule: NationalBbanCheck, countries: string])[] = [
  [albanianCheck, 'AL'],
  [belgianCheck, 'BE'],
  [croatianCheck, 'HR'],
  [czechSlovakCheck, 'CZ SK'],
  [estonianCheck, 'EE'],
  [finnishCheck, 'FI'],
  [hungarianCheck, 'HU'],
  [icelandicCheck, 'IS'],
  [italianCheck, 'IT SM'],
  [mod97Then10Check, 'BA ME MK PT RS SI ST TL XK'],
  [norwegianCheck, 'NO'],
  [polishCheck, 'PL'],
  [ribKeyCheck, 'BI DJ FR MC MR TN'],
  [ruleWithdrawn, 'NL'],
  [russianCheck, 'RU'],
  [spanishCheck, 'ES'],
]

const CHECKS: ReadonlyMap<string, NationalBbanCheck> = new Map(
  RULES.flatMap(([rule, countries]) => countries.split(' ').map((country) => [country, rule] as const)),
)

/**
 * Judges the national check digits inside an IBAN; `bban` already has the country's structure. Of other countries the rule
 * depends on the bank (Denmark, Germany, Sweden, the United Kingdom), or is not known to us.
 */
export function ibanNationalCheck(country: string, bban: string): NationalOutcome {
  return CHECKS.get(country)?.(bban) ?? 'not_checked'
}
