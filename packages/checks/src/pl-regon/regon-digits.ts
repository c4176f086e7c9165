/**
 * The digits of a REGON.
 *
 * Sources: Regulation of 30 November 2015 (Dz.U. 2015 poz. 2009); Statistics Poland: the first nine digits of a 14-digit
 * number are the parent's own REGON.
 */
import { areDigits, digitAt } from '../arithmetic/decimal.ts'
import { weightedSum } from '../arithmetic/weighted-sum.ts'
import type { CodeOf } from '../profile.ts'
import type { REGON } from './profile.ts'

const NO_PARENT = '000000000'
const WEIGHTS_9: readonly number[] = [8, 9, 2, 3, 4, 5, 6, 7]
const WEIGHTS_14: readonly number[] = [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]

export const REGON_LENGTHS: readonly number[] = Object.freeze([9, 14])

export type RegonCode = Exclude<CodeOf<typeof REGON>, 'label_prefix'>

export function judgeRegon(regon: string): RegonCode {
  if (regon.length === 0) return 'empty'
  if (!REGON_LENGTHS.includes(regon.length)) return 'length'
  if (!areDigits(regon)) return 'invalid_character'
  if (regon.startsWith(NO_PARENT)) return 'all_zero'
  if (!digitFits(regon, WEIGHTS_9)) return 'checksum_9'
  return regon.length === 9 || digitFits(regon, WEIGHTS_14) ? 'ok' : 'checksum_14'
}

/** Whether the digit behind the weighted ones is their sum modulo 11, 10 counting as 0. */
function digitFits(regon: string, weights: readonly number[]): boolean {
  return (weightedSum(regon, weights) % 11) % 10 === digitAt(regon, weights.length)
}
