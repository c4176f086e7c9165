/**
 * Norway: account numbers of eleven digits.
 *
 * Accounts whose fifth and sixth digits are 00, the old postal giro accounts among them, follow other rules, on which
 * published descriptions disagree; such an account that does not fit is not checked.
 * Source: Bits AS (Norwegian financial infrastructure), kontonummer; European Committee for Banking Standards,
 * register of European account numbers.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { NationalOutcome } from './outcome.ts'

const WEIGHTS: readonly number[] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]

export function norwegianCheck(bban: string): NationalOutcome {
  if (weightedSum(bban, WEIGHTS) % 11 === 0) return 'passed'
  const followsOtherRules = decimal(bban, 4, 6) === 0 || decimal(bban, 0, 4) === 0
  return followsOtherRules ? 'not_checked' : 'failed'
}
