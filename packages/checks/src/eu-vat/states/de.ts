/**
 * Umsatzsteuer-Identifikationsnummer (USt-IdNr.), the German VAT number: nine digits, the last a check digit.
 *
 * Source: Umsatzsteuergesetz § 27a; Bundeszentralamt für Steuern; European Commission, "VIES: VAT Number
 * Construction Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { mod11Then10Passes } from '../../arithmetic/mod11-10.ts'
import type { MemberState } from '../member-state.ts'

export const DE: MemberState = {
  prefix: 'DE',
  country: 'Germany',
  formats: ['999999999'],
  national: {
    algorithm: 'ISO 7064 MOD 11,10',
    passes: (national) => digitAt(national, 0) !== 0 && mod11Then10Passes(national),
  },
  // The Wirtschafts-Identifikationsnummer: 123456789-00001 after the prefix, since November 2024.
  legacy: [{ hint: 'german_w_idnr', shape: /^\d{14}$/ }],
}
