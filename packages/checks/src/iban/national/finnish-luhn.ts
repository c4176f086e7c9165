/**
 * Finland: the fourteen digits of the account number in machine form satisfy the Luhn formula.
 *
 * Source: Finanssiala ry (Finance Finland), "Finnish bank account numbers and IBAN".
 */

import { luhnPasses } from '../../arithmetic/luhn.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

export const finnishCheck = (bban: string): NationalOutcome => passedIf(luhnPasses(bban))
