import { digitAt } from './decimal.ts'

/**
 * Takes as many digits from `start` on as there are weights.
 *
 * @example weightedSum('526025027', [6, 5, 7, 2, 3, 4, 5, 6, 7]) // 169
 */
export function weightedSum(digits: string, weights: readonly number[], start = 0): number {
  let sum = 0
  for (let index = 0; index < weights.length; index++) {
    sum += digitAt(digits, start + index) * weights[index]!
  }
  return sum
}
