/** Explains a Polish number with a wrong count of digits: zeros lost, a digit too many, or another kind of number. */
import type { HintCode } from '../hints.ts'
import type { Failure } from '../result.ts'
import { extraCharacter, type Fits } from '../suspects.ts'
import { counted } from '../wording.ts'
import { judgeNip } from './nip-digits.ts'
import { judgePesel } from './pesel-digits.ts'
import { judgeRegon } from './regon-digits.ts'

/** The count of digits of one kind of number. */
export interface DigitCount {
  readonly type: PolishType
  /** With its article: "a NIP". */
  readonly name: string
  readonly expected: number | readonly number[]
  /** The expected count in words. */
  readonly inWords: string
}

type PolishType = 'pl-nip' | 'pl-regon' | 'pl-pesel'

const FITS: Readonly<Record<PolishType, Fits>> = {
  'pl-nip': (digits) => judgeNip(digits) === 'ok',
  'pl-regon': (digits) => judgeRegon(digits) === 'ok',
  'pl-pesel': (digits) => judgePesel(digits) === 'ok',
}

/** How many leading zeros a spreadsheet drops from numbers that registers issue: a PESEL of the year 2000 has two. */
const MOST_ZEROS_LOST = 2

export function digitCountFailure(value: string, digits: string, count: DigitCount): Failure {
  const actual = digits.length
  return {
    code: 'length',
    reason: `The value has ${counted(actual, 'digit')} after removing separators; ${count.name} has ${count.inWords}.`,
    length: { expected: count.expected, actual },
    ...mendingOf(value, digits, count),
  }
}

/** The likeliest explanation comes first; no NIP with a leading zero was issued, so there another number is likelier. */
function mendingOf(value: string, digits: string, { type, expected }: DigitCount): Partial<Failure> {
  const other = otherNumber(digits, type)
  const isOther = other !== undefined && FITS[other](digits)
  if (isOther && type === 'pl-nip') return { hint: HINT_OF[other] }
  if (hasLostZeros(digits, FITS[type])) return { hint: 'leading_zero_lost' }
  if (isOther) return { hint: HINT_OF[other] }
  const extra = [expected].flat().includes(digits.length - 1) ? extraCharacter(value, digits, FITS[type]) : {}
  return extra.hint === undefined && other !== undefined ? { hint: HINT_OF[other] } : extra
}

function hasLostZeros(digits: string, fits: Fits): boolean {
  for (let zeros = 1; zeros <= MOST_ZEROS_LOST; zeros++) if (fits('0'.repeat(zeros) + digits)) return true
  return false
}

const HINT_OF: Readonly<Record<PolishType, HintCode>> = {
  'pl-nip': 'may_be_nip',
  'pl-regon': 'may_be_regon',
  'pl-pesel': 'may_be_pesel',
}

const TYPE_OF_COUNT: ReadonlyMap<number, PolishType> = new Map([
  [9, 'pl-regon'],
  [10, 'pl-nip'],
  [11, 'pl-pesel'],
  [14, 'pl-regon'],
])

/** The other kind of number with this many digits. */
function otherNumber(digits: string, type: PolishType): PolishType | undefined {
  const other = TYPE_OF_COUNT.get(digits.length)
  return other === type ? undefined : other
}
