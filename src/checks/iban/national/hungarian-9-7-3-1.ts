/**
 * Hungary: bank and branch (eight digits) and the account (sixteen) are each divisible by 10 when weighted 9,7,3,1.
 *
 * Source: Magyar Nemzeti Bank, structure of the payment account number (pénzforgalmi jelzőszám).
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const BANK: readonly number[] = [9, 7, 3, 1, 9, 7, 3, 1]
const ACCOUNT: readonly number[] = [...BANK, ...BANK]

export function hungarianCheck(bban: string): NationalOutcome {
  return passedIf(weightedSum(bban, BANK) % 10 === 0 && weightedSum(bban, ACCOUNT, BANK.length) % 10 === 0)
}
