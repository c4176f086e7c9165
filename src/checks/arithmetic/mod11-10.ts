/** The hybrid system MOD 11,10 of ISO 7064:2003, clause 9. */

const ZERO = 48

/**
 * True when the digits, the last one being the check digit, satisfy ISO 7064 MOD 11,10.
 *
 * Takes ASCII digits only; `start` and `end` (exclusive) narrow it to a part of the string.
 */
export function mod11Then10Passes(digits: string, start = 0, end = digits.length): boolean {
  let product = 10
  for (let index = start; index < end - 1; index++) {
    const sum = (product + digits.charCodeAt(index) - ZERO) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (product + digits.charCodeAt(end - 1) - ZERO) % 10 === 1
}
