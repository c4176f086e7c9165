/**
 * Iceland: the last ten digits are the holder's kennitala, whose ninth digit is a modulo-11 check digit.
 *
 * Since 18 February 2026 persons receive numbers without a check digit, and system numbers (starting with 8 or 9)
 * never had one; only organisations (first digit 4 to 7) can be said to fail.
 * Source: Þjóðskrá (Registers Iceland), "Kennitölur án vartölu".
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { NationalOutcome } from './outcome.ts'

const WEIGHTS: readonly number[] = [3, 2, 7, 6, 5, 4, 3, 2, 1]
const KENNITALA_START = 12
const FIRST_ORGANISATION = 4
const FIRST_SYSTEM_NUMBER = 8

export function icelandicCheck(bban: string): NationalOutcome {
  const first = digitAt(bban, KENNITALA_START)
  if (first >= FIRST_SYSTEM_NUMBER) return 'not_applicable'
  if (weightedSum(bban, WEIGHTS, KENNITALA_START) % 11 === 0) return 'passed'
  return first >= FIRST_ORGANISATION ? 'failed' : 'not_applicable'
}
