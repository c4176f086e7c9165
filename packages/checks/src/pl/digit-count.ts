import { judgePesel } from '../pl-pesel/pesel-digits.ts'
import { counted } from '../text/wording.ts'

export interface DigitCount<E> {
  /** With its article: "a NIP". */
  readonly name: string
  readonly expected: E
  readonly inWords: string
}

export function digitCountFailure<E, const H>(digits: string, count: DigitCount<E>, hint: H) {
  const actual = digits.length
  return {
    code: 'length',
    reason: `The value has ${counted(actual, 'digit')} after removing separators; ${count.name} has ${count.inWords}.`,
    length: { expected: count.expected, actual },
    hint,
  } as const
}

/** The month digits of persons born from 1900 to 2099 are below 40; any other number that fits does so by accident. */
export const isPeselOfTheLiving = (digits: string): boolean =>
  /^..[0-3]/.test(digits) && judgePesel(digits) === 'ok'

/** Whether the number fits once the zeros in front, which spreadsheets drop, are put back. */
export const fitsWithZeros = (digits: string, length: number, judge: (digits: string) => string): boolean =>
  !digits.startsWith('0') && digits.length < length && judge(digits.padStart(length, '0')) === 'ok'
