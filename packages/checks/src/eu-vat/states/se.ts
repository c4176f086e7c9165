/**
 * Momsregistreringsnummer, the Swedish VAT number: the ten digits of the organisation or personal number and 01.
 *
 * Source: Skatteverket (Swedish Tax Agency), VAT registration number; Act 1974:174 on identity designations of legal persons, for
 * organisation numbers.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { luhnPasses } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

/** The third digit of an organisation number is 2 or more, that of a personal number is the first of its month. */
const isOrganisation = (national: string): boolean => digitAt(national, 2) >= 2

export const SE: MemberState = {
  prefix: 'SE',
  country: 'Sweden',
  formats: ['999999999999'],
  national: {
    algorithm: 'Luhn on the first ten digits',
    passes: (national) => decimal(national, 10, 12) === 1 && luhnPasses(national, 0, 10),
  },
  holder: (national) => (isOrganisation(national) ? 'entity' : 'person'),
  register: { name: 'organisationsnummer', holds: isOrganisation },
  legacy: [{ hint: 'swedish_without_01', shape: /^\d{10}$/, fits: (digits) => luhnPasses(digits) }],
}
