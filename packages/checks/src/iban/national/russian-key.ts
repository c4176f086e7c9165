/**
 * Russia: the ninth digit of the account (twenty) is its key, by the weights 7, 1 and 3 over three digits of the bank code (BIK)
 * and the account: its last three in a credit institution, in a cash centre of the central bank 0 and its fifth and sixth.
 *
 * Source: Bank of Russia, procedure of 8 September 1997, No. 515, on the control key in the number of an account. It has no
 * rule for accounts with letters.
 */

import { areDigits } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const BIK = 9
const WEIGHTS: readonly number[] = Array.from({ length: 23 }, (_, place) => [7, 1, 3][place % 3]!)

export function russianCheck(bban: string): NationalOutcome {
  if (!areDigits(bban)) return 'not_checked'
  const account = bban.slice(BIK)
  const fits = (office: string) => weightedSum(office + account, WEIGHTS) % 10 === 0
  return passedIf(fits(bban.slice(6, BIK)) || fits(`0${bban.slice(4, 6)}`))
}
