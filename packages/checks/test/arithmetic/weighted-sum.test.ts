import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weightedSum } from '../../src/arithmetic/weighted-sum.ts'

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 10, maxLength: 10 })
const WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7, 1]

describe('weightedSum', () => {
  test('multiplies digit by digit and reads as many digits as there are weights', () => {
    expect(weightedSum('5260250274', [6, 5, 7, 2, 3, 4, 5, 6, 7])).toBe(169)
    expect(weightedSum('987', [])).toBe(0)
  })

  test('starts at the given index', () => {
    expect(weightedSum('U123', [1, 10, 100], 1)).toBe(321)
  })

  test('modulo 11 tells every single-digit change apart when no weight is a multiple of 11', () => {
    fc.assert(
      fc.property(digits, fc.nat({ max: 9 }), fc.nat({ max: 9 }), (value, index, digit) => {
        fc.pre(Number(value[index]) !== digit)
        const changed = value.slice(0, index) + digit + value.slice(index + 1)
        return weightedSum(value, WEIGHTS) % 11 !== weightedSum(changed, WEIGHTS) % 11
      }),
    )
  })
})
