import type { HintCode } from '../advice/hints.ts'
import type { Fits } from '../advice/mended-value.ts'
import { judgeNip } from '../pl-nip/nip-digits.ts'
import { judgePesel } from '../pl-pesel/pesel-digits.ts'
import { judgeRegon } from '../pl-regon/regon-digits.ts'
import type { Failure } from '../result.ts'
import { counted } from '../text/wording.ts'

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

/** A NIP or a REGON is never suggested: too many other values fit its one check digit. */
function hintOf(digits: string, type: PolishType): HintCode | undefined {
  if (hasLostZeros(digits, type)) return 'leading_zero_lost'
  return type !== 'pl-pesel' && isPeselOfTheLiving(digits) ? 'may_be_pesel' : undefined
}

/** The month digits of persons born from 1900 to 2099 are below 40; any other number that fits does so by accident. */
const isPeselOfTheLiving = (digits: string): boolean => /^..[0-3]/.test(digits) && FITS['pl-pesel'](digits)

/**
 * Whether the number fits with zeros in front, which spreadsheets drop. A PESEL with lost zeros is of a person born from 2000
 * to 2009, as those born from 1900 to 1909 would be over 115. A REGON of nine digits must lack two or three, because too many
 * values fit with one zero. No NIP starts with a zero.
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
