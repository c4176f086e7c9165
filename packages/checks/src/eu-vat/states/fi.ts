/**
 * Arvonlisäveronumero (ALV-numero), the Finnish VAT number: the Business ID (Y-tunnus) without its hyphen.
 *
 * Source: Business Information System (YTJ) of the Finnish Patent and Registration Office and the Tax
 * Administration, structure of the Business ID.
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [7, 9, 10, 5, 8, 4, 2, 1]

export const FI: MemberState = {
  prefix: 'FI',
  country: 'Finland',
  formats: ['99999999'],
  national: { algorithm: 'weighted mod 11', passes: (national) => weightedSum(national, WEIGHTS) % 11 === 0 },
  register: { name: 'Y-tunnus' },
}
