/**
 * Clé RIB, the key of France and Monaco, and the same rule over digits alone in Burundi, Djibouti, Mauritania and
 * Tunisia.
 *
 * Letters of the account number stand for one digit each (A J = 1, B K S = 2 .. I R Z = 9); the number with its key
 * is divisible by 97, the key being 01 to 97.
 * Source: Comité français d'organisation et de normalisation bancaires (CFONB), relevé d'identité bancaire; SWIFT
 * IBAN Registry, entries BI, DJ, MR and TN.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { type NationalOutcome, passedIf } from './outcome.ts'

const ZERO = 48
const LETTER_A = 65
const LETTER_S = 18
const MAX_KEY = 97

function ribDigit(code: number): number {
  if (code < LETTER_A) return code - ZERO
  const letter = code - LETTER_A
  return letter >= LETTER_S ? letter - LETTER_S + 2 : (letter % 9) + 1
}

export function ribKeyCheck(bban: string): NationalOutcome {
  const key = decimal(bban, bban.length - 2, bban.length)
  let remainder = 0
  for (let index = 0; index < bban.length; index++) {
    remainder = (remainder * 10 + ribDigit(bban.charCodeAt(index))) % 97
  }
  return passedIf(remainder === 0 && key > 0 && key <= MAX_KEY)
}
