/**
 * Numéro d'identification à la TVA, the French VAT number: a key of two characters and the SIREN of nine digits.
 *
 * A key with a letter (O and I are not used) is a number in a mixed base. The SIREN satisfies the Luhn formula, except for
 * Monegasque businesses, whose numbers start with 000.
 * Source: Code général des impôts, art. 286 ter; INSEE (SIREN); European Commission, "VIES: VAT Number Construction Rules"
 * 15.0, for both keys.
 */

import { areDigits, decimal } from '../../arithmetic/decimal.ts'
import { luhnPasses } from '../../arithmetic/luhn.ts'
import type { MemberState } from '../member-state.ts'

const KEY_CHARACTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LETTERS_FROM = 10

function letterKeyFits(national: string, siren: number): boolean {
  const first = KEY_CHARACTERS.indexOf(national.charAt(0))
  const second = KEY_CHARACTERS.indexOf(national.charAt(1))
  if (first < 0 || second < 0) return false
  const key = first < LETTERS_FROM ? first * 24 + second - 10 : first * 34 + second - 100
  return (siren + 1 + Math.floor(key / 11)) % 11 === key % 11
}

const SIREN = /^\d{9}$/

/** SIREN, the number of a company: nine digits that satisfy the Luhn formula. */
export const isSiren = (digits: string): boolean => SIREN.test(digits) && luhnPasses(digits)

/** SIRET, the number of an establishment: a SIREN and five digits; each of the two satisfies the Luhn formula. */
export function isSiret(digits: string): boolean {
  return digits.length === 14 && areDigits(digits) && luhnPasses(digits) && luhnPasses(digits, 0, 9)
}

function passes(national: string): boolean {
  const monegasque = decimal(national, 2, 5) === 0
  if (!monegasque && !luhnPasses(national, 2)) return false
  const siren = decimal(national, 2, 11)
  if (!areDigits(national, 0, 2)) return letterKeyFits(national, siren)
  return (12 + 3 * (siren % 97)) % 97 === decimal(national, 0, 2)
}

export const FR: MemberState = {
  prefix: 'FR',
  country: 'France',
  formats: ['XX999999999'],
  national: { algorithm: 'mod 97 or mod 11 key; Luhn SIREN', passes },
  register: { name: 'SIREN', holds: (national) => isSiren(national.slice(2)) },
  legacy: [{ hint: 'french_siren_without_key', shape: SIREN, fits: isSiren }],
}
