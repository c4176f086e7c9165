/**
 * Albania: the eighth digit of the bank and branch code checks the seven before it with 9,7,3,1,9,7,3.
 *
 * Source: Banka e Shqipërisë (Bank of Albania), rules on the IBAN; SWIFT IBAN Registry, entry AL. The digit is 10 minus
 * the sum modulo 10.
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const WEIGHTS: readonly number[] = [9, 7, 3, 1, 9, 7, 3, 1]

export const albanianCheck = (bban: string): NationalOutcome =>
  passedIf(weightedSum(bban, WEIGHTS) % 10 === 0)
