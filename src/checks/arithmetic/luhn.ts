/** The Luhn formula: ISO/IEC 7812-1:2017, annex B. */

const ZERO = 48

/** Cross-sum of the double of one digit: 0 2 4 6 8 1 3 5 7 9. */
export function doubledCrossSum(digit: number): number {
  const double = digit * 2
  return double > 9 ? double - 9 : double
}

/**
 * True when the digits, the last one being the check digit, satisfy the Luhn formula.
 *
 * Takes ASCII digits only; `start` and `end` (exclusive) narrow it to a part of the string.
 */
export function luhnPasses(digits: string, start = 0, end = digits.length): boolean {
  let sum = 0
  let doubled = false
  for (let index = end - 1; index >= start; index--) {
    const digit = digits.charCodeAt(index) - ZERO
    sum += doubled ? doubledCrossSum(digit) : digit
    doubled = !doubled
  }
  return sum % 10 === 0
}
