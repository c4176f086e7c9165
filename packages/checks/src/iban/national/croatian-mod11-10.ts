/**
 * Croatia: the bank code (seven digits) and the account (ten) each satisfy ISO 7064 MOD 11,10.
 *
 * Source: Hrvatska narodna banka, decision on the structure of account numbers.
 */

import { mod11Then10Passes } from '../../arithmetic/mod11-10.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const ACCOUNT_START = 7

export function croatianCheck(bban: string): NationalOutcome {
  return passedIf(mod11Then10Passes(bban, 0, ACCOUNT_START) && mod11Then10Passes(bban, ACCOUNT_START))
}
