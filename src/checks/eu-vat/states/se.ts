/**
 * Momsregistreringsnummer, the Swedish VAT number: the ten digits of the organisation or personal number and 01.
 *
 * Source: Skatteverket (Swedish Tax Agency), VAT registration number.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import { luhnPasses } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

export const SE: MemberState = {
  prefix: 'SE',
  country: 'Sweden',
  formats: ['999999999999'],
  national: {
    algorithm: 'Luhn on the first ten digits',
    passes: (national) => decimal(national, 10, 12) === 1 && luhnPasses(national, 0, 10),
  },
  legacy: [{ hint: 'swedish_without_01', shape: /^\d{10}$/, fits: (digits) => luhnPasses(digits) }],
}
