/**
 * ISO 7064 MOD 97-10 over the whole BBAN: Bosnia and Herzegovina, Kosovo, Montenegro, North Macedonia, Portugal (NIB), Sao
 * Tome and Principe, Serbia, Slovenia and Timor-Leste.
 *
 * Source: SWIFT IBAN Registry, national check digits of these entries; ISO 7064:2003.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { mod97 } from '../../arithmetic/mod97.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const MIN_KEY = 2
const MAX_KEY = 98

/** The keys 00, 01 and 99 are never generated, although they would leave 1. */
export function mod97Then10Check(bban: string): NationalOutcome {
  const key = decimal(bban, bban.length - 2, bban.length)
  return passedIf(key >= MIN_KEY && key <= MAX_KEY && mod97(bban) === 1)
}
