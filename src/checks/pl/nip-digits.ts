/**
 * The rule of the NIP's tenth digit, shared by the NIP check and the Polish VAT number.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers; weights 6 5 7 2 3 4 5 6 7, the sum
 * modulo 11 is the tenth digit. Numbers with remainder 10 are not issued, nor is the number of zeros.
 */
import { CHARS, DIGIT, VALUE } from '../char-kind.ts'
import { NO_DIGITS, weightedDigits } from './digits.ts'

const ZERO = 0x30
const ALL_ZERO = '0000000000'
const LAST = 9
const WEIGHTS: readonly number[] = [6, 5, 7, 2, 3, 4, 5, 6, 7]

export type NipDigitsCode = 'ok' | 'invalid_character' | 'all_zero' | 'checksum_impossible' | 'checksum'

/** What the ten characters from `start` on are worth as a NIP. */
export function judgeNipDigits(nip: string, start = 0): NipDigitsCode {
  const sum = weightedDigits(nip, WEIGHTS, start)
  const last = CHARS[nip.charCodeAt(start + LAST)]!
  if (sum === NO_DIGITS || (last & DIGIT) === 0) return 'invalid_character'
  const remainder = sum % 11
  if (remainder === (last & VALUE)) return nip.endsWith(ALL_ZERO) ? 'all_zero' : 'ok'
  return remainder === 10 ? 'checksum_impossible' : 'checksum'
}

/**
 * Whether the first three digits can name a tax office: no leading zero and not x00.
 *
 * Source: Polish Ministry of Finance, type TNrNIP of ElementarneTypyDanych: [1-9]((\d[1-9])|([1-9]\d))\d{7}, used by
 * the JPK and KSeF schemas. Never a verdict, only a warning.
 */
export function hasOfficePrefix(nip: string): boolean {
  if (nip.charCodeAt(0) === ZERO) return false
  return nip.charCodeAt(1) !== ZERO || nip.charCodeAt(2) !== ZERO
}

export const UNASSIGNED_OFFICE: readonly string[] = Object.freeze(['office_prefix_unassigned'])
