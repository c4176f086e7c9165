/**
 * Cod de înregistrare în scopuri de TVA, the Romanian VAT number: the CUI / CIF of two to ten digits.
 *
 * There is no leading 0. Persons without a CIF use the CNP of thirteen digits, which VIES does not take.
 * Source: Agenția Națională de Administrare Fiscală (ANAF); European Commission, "VIES: VAT Number Construction
 * Rules" 15.0.
 */

import { digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

/** Of the digits before the last one; a shorter number takes the last of them. */
const WEIGHTS: readonly number[] = [7, 5, 3, 2, 1, 7, 5, 3, 2]

function passes(national: string): boolean {
  if (digitAt(national, 0) === 0) return false
  const last = national.length - 1
  const sum = weightedSum(national, WEIGHTS.slice(-last))
  return ((sum * 10) % 11) % 10 === digitAt(national, last)
}

const CNP = /^[1-9]\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|[1-4]\d|5[0-2])\d{4}$/
const CNP_WEIGHTS: readonly number[] = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]

/** Cod numeric personal: sex and century, birth date, county, serial number, and a digit modulo 11, 10 counting as 1. */
export function isCnp(digits: string): boolean {
  if (!CNP.test(digits)) return false
  const remainder = weightedSum(digits, CNP_WEIGHTS) % 11
  return (remainder === 10 ? 1 : remainder) === digitAt(digits, 12)
}

export const RO: MemberState = {
  prefix: 'RO',
  country: 'Romania',
  formats: ['99', '999', '9999', '99999', '999999', '9999999', '99999999', '999999999', '9999999999'],
  national: { algorithm: 'weighted mod 11', passes },
  register: { name: 'CUI' },
  legacy: [{ hint: 'romanian_cnp', shape: /^\d{13}$/ }],
}
