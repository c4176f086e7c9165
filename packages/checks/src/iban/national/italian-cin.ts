/**
 * Codice di controllo interno (CIN), the letter before the ABI and CAB codes in Italy and San Marino.
 *
 * The table of values is that of the codice fiscale.
 * Source: Associazione Bancaria Italiana (ABI), coordinate bancarie; D.M. 23 December 1976 for the table.
 */

import { type NationalOutcome, passedIf } from './outcome.ts'

const ZERO = 48
const LETTER_A = 65
const ODD_POSITION_VALUES: readonly number[] = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

export function italianCheck(bban: string): NationalOutcome {
  let sum = 0
  for (let index = 1; index < bban.length; index++) {
    const code = bban.charCodeAt(index)
    const value = code < LETTER_A ? code - ZERO : code - LETTER_A
    sum += index % 2 === 1 ? ODD_POSITION_VALUES[value]! : value
  }
  return passedIf((sum % 26) + LETTER_A === bban.charCodeAt(0))
}
