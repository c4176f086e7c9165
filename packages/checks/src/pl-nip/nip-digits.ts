/**
 * The ten digits of a NIP, also of the Polish VAT number. Numbers with remainder 10 and the number of zeros are not issued.
 *
 * Source: Act of 13 October 1995 on registration and identification of taxpayers.
 */

import { areDigits, digitAt } from '../arithmetic/decimal.ts'
import { weightedSum } from '../arithmetic/weighted-sum.ts'

export const NIP_DIGITS = 10
const LAST = NIP_DIGITS - 1
const ALL_ZERO = '0000000000'
const WEIGHTS: readonly number[] = [6, 5, 7, 2, 3, 4, 5, 6, 7]

export type NipCode = NipDigitsCode | 'empty' | 'length'
export type NipDigitsCode = 'ok' | 'invalid_character' | 'all_zero' | 'checksum_impossible' | 'checksum'

/** Judges the ten characters from `start` on. */
export function judgeNipDigits(text: string, start = 0): NipDigitsCode {
  if (!areDigits(text, start)) return 'invalid_character'
  const remainder = weightedSum(text, WEIGHTS, start) % 11
  if (remainder === digitAt(text, start + LAST)) return text.endsWith(ALL_ZERO) ? 'all_zero' : 'ok'
  return remainder === 10 ? 'checksum_impossible' : 'checksum'
}

export function judgeNip(nip: string): NipCode {
  if (nip.length === NIP_DIGITS) return judgeNipDigits(nip)
  if (nip.length === 0) return 'empty'
  return areDigits(nip) ? 'length' : 'invalid_character'
}

/**
 * Whether the first three digits can name a tax office.
 *
 * Source: Polish Ministry of Finance, type TNrNIP of ElementarneTypyDanych: [1-9]((\d[1-9])|([1-9]\d))\d{7}, used by
 * the JPK and KSeF schemas.
 */
export const hasOfficePrefix = (nip: string): boolean => !/^(?:0|.00)/.test(nip)

export const UNASSIGNED_OFFICE = Object.freeze(['office_prefix_unassigned'] as const)
