/**
 * Osobni identifikacijski broj (OIB), the Croatian identification and VAT number: eleven digits.
 *
 * Source: Zakon o osobnom identifikacijskom broju (Narodne novine 60/08); Porezna uprava (Tax Administration).
 */

import { mod11Then10Passes } from '../../arithmetic/mod11-10.ts'
import type { MemberState } from '../member-state.ts'

export const HR: MemberState = {
  prefix: 'HR',
  country: 'Croatia',
  formats: ['99999999999'],
  national: { algorithm: 'ISO 7064 MOD 11,10', passes: (national) => mod11Then10Passes(national) },
  register: { name: 'OIB' },
}
