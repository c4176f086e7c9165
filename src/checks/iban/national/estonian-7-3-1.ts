/**
 * Estonia: the 7-3-1 method over the account number, which follows the bank code of two digits.
 *
 * Source: Eesti Pangaliit (Estonian Banking Association), check digit of account numbers.
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const WEIGHTS: readonly number[] = [7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1]
const ACCOUNT_START = 2

export function estonianCheck(bban: string): NationalOutcome {
  return passedIf(weightedSum(bban, WEIGHTS, ACCOUNT_START) % 10 === 0)
}
