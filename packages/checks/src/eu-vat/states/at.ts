/**
 * Umsatzsteuer-Identifikationsnummer (UID), the Austrian VAT number: "U" and eight digits, the last a check digit.
 *
 * Source: Bundesministerium für Finanzen, "UID-Konstruktionsregeln"; Umsatzsteuergesetz 1994, art. 28.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { doubledCrossSum } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

const LAST = 8

function passes(national: string): boolean {
  let sum = 4
  for (let index = 1; index < LAST; index++) {
    const digit = digitAt(national, index)
    sum += index % 2 === 0 ? doubledCrossSum(digit) : digit
  }
  return (sum + digitAt(national, LAST)) % 10 === 0
}

export const AT: MemberState = {
  prefix: 'AT',
  country: 'Austria',
  formats: ['U99999999'],
  national: { algorithm: 'cross-sum mod 10, offset 4', passes },
  legacy: [{ hint: 'austrian_without_u', shape: /^\d{8}$/, fits: (digits) => passes(`U${digits}`) }],
}
