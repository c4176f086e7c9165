/**
 * Poland: the eighth digit of the bank code (numer rozliczeniowy) checks the seven before it with 3,9,7,1,3,9,7.
 *
 * Source: Narodowy Bank Polski, Zarządzenie 7/2017 on numbering banks and bank accounts.
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const WEIGHTS: readonly number[] = [3, 9, 7, 1, 3, 9, 7, 1]

export const polishCheck = (bban: string): NationalOutcome => passedIf(weightedSum(bban, WEIGHTS) % 10 === 0)
