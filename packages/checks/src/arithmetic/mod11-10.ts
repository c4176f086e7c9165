/** The hybrid system MOD 11,10 of ISO 7064:2003, clause 9. */
import { digitAt } from './decimal.ts'

/** The last of the digits from `start` to `end` (exclusive) is the check digit. */
export function mod11Then10Passes(digits: string, start = 0, end = digits.length): boolean {
  let product = 10
  for (let index = start; index < end - 1; index++) {
    const sum = (product + digitAt(digits, index)) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (product + digitAt(digits, end - 1)) % 10 === 1
}
