/** The Luhn formula: ISO/IEC 7812-1:2017, annex B. */
import { digitAt } from './decimal.ts'

export function doubledCrossSum(digit: number): number {
  const double = digit * 2
  return double > 9 ? double - 9 : double
}

/** The last of the digits from `start` to `end` (exclusive) is the check digit. */
export function luhnPasses(digits: string, start = 0, end = digits.length): boolean {
  let sum = 0
  let doubled = false
  for (let index = end - 1; index >= start; index--) {
    const digit = digitAt(digits, index)
    sum += doubled ? doubledCrossSum(digit) : digit
    doubled = !doubled
  }
  return sum % 10 === 0
}
