/**
 * Número de identificación fiscal (NIF), the Spanish tax and VAT number: nine characters.
 *
 * - Persons: DNI (eight digits), NIE (X, Y or Z standing for 0, 1 or 2, and seven digits) or K, L, M and seven
 *   digits; the check letter is chosen by the number modulo 23.
 * - Legal entities: a letter for the legal form, seven digits, and a Luhn check digit or the letter that stands
 *   for it (J = 0, A = 1 .. I = 9). Both are accepted for every legal form: the lists of which form takes which
 *   disagree, and the order reserves letters for more cases than its own table shows.
 * Source: Real Decreto 1065/2007, arts. 18-22; Orden EHA/451/2008 (legal entities); Real Decreto 1553/2005
 * (DNI).
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { doubledCrossSum } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const LEGAL_FORMS = 'ABCDEFGHJNPQRSUVW'
const LEGAL_CHECK_LETTERS = 'JABCDEFGHI'
const TEN_MILLION = 10_000_000
const LAST = 8

const personLetterFits = (national: string, value: number): boolean =>
  PERSON_LETTERS.charCodeAt(value % 23) === national.charCodeAt(LAST)

function legalEntityPasses(national: string): boolean {
  let sum = 0
  for (let index = 1; index < LAST; index++) {
    const digit = digitAt(national, index)
    sum += index % 2 === 1 ? doubledCrossSum(digit) : digit
  }
  const check = (10 - (sum % 10)) % 10
  return (
    digitAt(national, LAST) === check || LEGAL_CHECK_LETTERS.charCodeAt(check) === national.charCodeAt(LAST)
  )
}

function passes(national: string): boolean {
  const first = national.charAt(0)
  switch (first) {
    case 'X':
    case 'K':
    case 'L':
    case 'M':
      return personLetterFits(national, decimal(national, 1, LAST))
    case 'Y':
      return personLetterFits(national, TEN_MILLION + decimal(national, 1, LAST))
    case 'Z':
      return personLetterFits(national, 2 * TEN_MILLION + decimal(national, 1, LAST))
    default:
      if (first <= '9') return personLetterFits(national, decimal(national, 0, LAST))
      return LEGAL_FORMS.includes(first) && legalEntityPasses(national)
  }
}

export const ES: MemberState = {
  prefix: 'ES',
  country: 'Spain',
  formats: ['L99999999', '99999999L', 'L9999999L'],
  national: { algorithm: 'mod 23 letter (DNI, NIE); Luhn digit or letter (legal entities)', passes },
  holder: (national) => (LEGAL_FORMS.includes(national.charAt(0)) ? 'entity' : 'person'),
}
