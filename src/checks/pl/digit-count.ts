/** Explains a Polish number with a wrong count of digits: zeros lost, a digit too many, or another kind of number. */

import type { Fits } from '../fits.ts'
import type { HintCode } from '../hints.ts'
import type { Failure } from '../result.ts'
import { counted } from '../wording.ts'
import { judgeNip } from './nip-digits.ts'
import { judgePesel } from './pesel-digits.ts'
import { judgeRegon } from './regon-digits.ts'

export interface DigitCount {
  readonly type: PolishType
  /** With its article: "a NIP". */
  readonly name: string
  readonly expected: number | readonly number[]
  readonly inWords: string
}

type PolishType = 'pl-nip' | 'pl-regon' | 'pl-pesel'

export const FITS: Readonly<Record<PolishType, Fits>> = {
  'pl-nip': (digits) => judgeNip(digits) === 'ok',
  'pl-regon': (digits) => judgeRegon(digits) === 'ok',
  'pl-pesel': (digits) => judgePesel(digits) === 'ok',
}

export function digitCountFailure(digits: string, count: DigitCount): Failure {
  const actual = digits.length
  return {
    code: 'length',
    reason: `The value has ${counted(actual, 'digit')} after removing separators; ${count.name} has ${count.inWords}.`,
    length: { expected: count.expected, actual },
    hint: hintOf(digits, count.type),
  }
}

/** The one check digit of a NIP or a REGON fits too many other values, so neither is ever named. */
function hintOf(digits: string, type: PolishType): HintCode | undefined {
  if (hasLostZeros(digits, type)) return 'leading_zero_lost'
  return type !== 'pl-pesel' && isPeselOfTheLiving(digits) ? 'may_be_pesel' : undefined
}

/** The month of those born from 1900 to 2099 is below 40; all other numbers that fit are accidents. */
const isPeselOfTheLiving = (digits: string): boolean => /^..[0-3]/.test(digits) && FITS['pl-pesel'](digits)

/**
 * Whether zeros in front, which spreadsheets drop all at once, make the number fit: one or two of a PESEL of those born from
 * 2000 to 2009 (born from 1900 to 1909, they would be over 115), unless the value is a NIP; two or three of a REGON of nine
 * digits, one or more of fourteen. No NIP starts with a zero. A REGON of nine digits that lacks one digit fits with a zero
 * too often.
 */
function hasLostZeros(digits: string, type: PolishType): boolean {
  const fits = (length: number) => digits.length < length && FITS[type](digits.padStart(length, '0'))
  if (digits.startsWith('0')) return false
  if (type === 'pl-pesel')
    return /^0\d[23]/.test(digits.padStart(11, '0')) && fits(11) && !FITS['pl-nip'](digits)
  if (type === 'pl-regon')
    return digits.length < 8
      ? digits.length >= 6 && fits(9)
      : digits.length >= 11 && fits(14) && !isPeselOfTheLiving(digits)
  return false
}
