/**
 * Belgium: the last two of twelve digits are the first ten modulo 97, 97 standing for a remainder of 0.
 *
 * Source: Febelfin, account number structure; SWIFT IBAN Registry, entry BE.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { mod97 } from '../../arithmetic/mod97.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

export function belgianCheck(bban: string): NationalOutcome {
  const remainder = mod97(bban, 0, 10)
  return passedIf((remainder === 0 ? 97 : remainder) === decimal(bban, 10, 12))
}
