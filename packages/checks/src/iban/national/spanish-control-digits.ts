/**
 * Dígitos de control of the Spanish código cuenta cliente: one for bank and branch, one for the account.
 *
 * Source: Asociación Española de Banca (AEB), código cuenta cliente; SWIFT IBAN Registry, entry ES.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const BANK_AND_BRANCH: readonly number[] = [4, 8, 5, 10, 9, 7, 3, 6]
const ACCOUNT: readonly number[] = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
const ACCOUNT_START = 10

function controlDigit(sum: number): number {
  const digit = 11 - (sum % 11)
  if (digit === 11) return 0
  return digit === 10 ? 1 : digit
}

export function spanishCheck(bban: string): NationalOutcome {
  return passedIf(
    controlDigit(weightedSum(bban, BANK_AND_BRANCH)) === digitAt(bban, 8) &&
      controlDigit(weightedSum(bban, ACCOUNT, ACCOUNT_START)) === digitAt(bban, 9),
  )
}
