/**
 * Czechia and Slovakia: the account prefix (six digits) and the account number (ten) are each divisible by 11 when
 * weighted with the powers of two modulo 11.
 *
 * Source: Česká národní banka, Decree 169/2011 Sb. on account number structure; Národná banka Slovenska.
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const PREFIX: readonly number[] = [10, 5, 8, 4, 2, 1]
const ACCOUNT: readonly number[] = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]
const PREFIX_START = 4
const ACCOUNT_START = 10

export function czechSlovakCheck(bban: string): NationalOutcome {
  return passedIf(
    weightedSum(bban, PREFIX, PREFIX_START) % 11 === 0 &&
      weightedSum(bban, ACCOUNT, ACCOUNT_START) % 11 === 0,
  )
}
