/** Weighted sums of digits: the first half of nearly every national check digit. */

const ZERO = 48

/**
 * Sum of digit times weight, the first weight standing on the digit at `start`.
 *
 * Takes ASCII digits only and reads exactly as many as there are weights.
 *
 * @example weightedSum('526025027', [6, 5, 7, 2, 3, 4, 5, 6, 7]) // 169
 */
export function weightedSum(digits: string, weights: readonly number[], start = 0): number {
  let sum = 0
  for (let index = 0; index < weights.length; index++) {
    sum += (digits.charCodeAt(start + index) - ZERO) * weights[index]!
  }
  return sum
}
