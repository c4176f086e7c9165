/**
 * Ondernemingsnummer / numéro d'entreprise, which is also the Belgian VAT number (BTW / TVA): ten digits.
 *
 * The first digit is 0, or 1 for enterprises registered since 2023; until 2008 the leading 0 was left out.
 * Source: Crossroads Bank for Enterprises (FPS Economy), structure of the enterprise number; Royal Decree of 24
 * June 2003 on the enterprise number.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { mod97 } from '../../arithmetic/mod97.ts'
import type { MemberState } from '../member-state.ts'

const passes = (national: string): boolean => 97 - mod97(national, 0, 8) === decimal(national, 8, 10)

export const BE: MemberState = {
  prefix: 'BE',
  country: 'Belgium',
  formats: ['0999999999', '1999999999'],
  national: { algorithm: '97 minus mod 97', passes },
  register: { name: 'KBO' },
  legacy: [{ hint: 'belgian_nine_digits', shape: /^[2-9]\d{8}$/, fits: (digits) => passes(`0${digits}`) }],
}
