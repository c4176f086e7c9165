import { belgianCheck } from './belgian-mod97.ts'
import { croatianCheck } from './croatian-mod11-10.ts'
import { finnishCheck } from './finnish-luhn.ts'
import { icelandicCheck } from './icelandic-kennitala.ts'
import { italianCheck } from './italian-cin.ts'
import { mod97Then10Check } from './mod97-10.ts'
import { norwegianCheck } from './norwegian-mod11.ts'
import type { NationalBbanCheck, NationalOutcome } from './outcome.ts'
import { ribKeyCheck } from './rib-key.ts'
import { spanishCheck } from './spanish-control-digits.ts'
import {
  albanianCheck,
  czechSlovakCheck,
  estonianCheck,
  hungarianCheck,
  polishCheck,
} from './weighted-parts.ts'

/** Denmark, the Faroe Islands, Greenland and Sweden have a check digit whose rule the bank chooses. */
const ruleDiffersByBank: NationalBbanCheck = () => 'not_checked'

const CHECKS: ReadonlyMap<string, NationalBbanCheck> = new Map([
  ['AL', albanianCheck],
  ['BA', mod97Then10Check],
  ['BE', belgianCheck],
  ['BI', ribKeyCheck],
  ['CZ', czechSlovakCheck],
  ['DJ', ribKeyCheck],
  ['DK', ruleDiffersByBank],
  ['EE', estonianCheck],
  ['ES', spanishCheck],
  ['FI', finnishCheck],
  ['FO', ruleDiffersByBank],
  ['FR', ribKeyCheck],
  ['GL', ruleDiffersByBank],
  ['HR', croatianCheck],
  ['HU', hungarianCheck],
  ['IS', icelandicCheck],
  ['IT', italianCheck],
  ['MC', ribKeyCheck],
  ['ME', mod97Then10Check],
  ['MK', mod97Then10Check],
  ['MR', ribKeyCheck],
  ['NO', norwegianCheck],
  ['PL', polishCheck],
  ['PT', mod97Then10Check],
  ['RS', mod97Then10Check],
  ['SE', ruleDiffersByBank],
  ['SI', mod97Then10Check],
  ['SK', czechSlovakCheck],
  ['SM', italianCheck],
  ['ST', mod97Then10Check],
  ['TL', mod97Then10Check],
  ['TN', ribKeyCheck],
  ['XK', mod97Then10Check],
])

/**
 * Judges the national check digits inside an IBAN; `bban` already has the country's structure. Germany (rules per bank, no
 * digit of its own) and the Netherlands (rule withdrawn) have none.
 */
export function ibanNationalCheck(country: string, bban: string): NationalOutcome {
  const check = CHECKS.get(country)
  return check === undefined ? 'not_applicable' : check(bban)
}
