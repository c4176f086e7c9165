/**
 * Numéro d'identification à la TVA, the Luxembourg VAT number: eight digits, the last two a key.
 *
 * Source: Administration de l'enregistrement, des domaines et de la TVA (AED); European Commission, "VIES: VAT
 * Number Construction Rules" 15.0.
 */

import { decimal } from '../../arithmetic/decimal.ts'
import type { MemberState } from '../member-state.ts'

export const LU: MemberState = {
  prefix: 'LU',
  country: 'Luxembourg',
  formats: ['99999999'],
  national: {
    algorithm: 'mod 89',
    passes: (national) => decimal(national, 0, 6) % 89 === decimal(national, 6, 8),
  },
}
