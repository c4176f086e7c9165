import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { doubledCrossSum, luhnPasses } from '../../src/arithmetic/luhn.ts'

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 })
const checkDigits = [...'0123456789']

describe('luhnPasses', () => {
  test('accepts the example of ISO/IEC 7812-1 and refuses its neighbour', () => {
    expect(luhnPasses('79927398713')).toBe(true)
    expect(luhnPasses('79927398710')).toBe(false)
  })

  test('reads only the part between start and end', () => {
    expect(luhnPasses('83404833048', 2)).toBe(true)
    expect(luhnPasses('556016068001', 0, 10)).toBe(true)
  })

  test('exactly one check digit completes any digits', () => {
    fc.assert(
      fc.property(digits, (value) => checkDigits.filter((check) => luhnPasses(value + check)).length === 1),
    )
  })

  test('catches every single-digit change', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.nat({ max: 9 }), (value, seed, digit) => {
        const number = value + checkDigits.find((check) => luhnPasses(value + check))
        const index = seed % number.length
        fc.pre(Number(number[index]) !== digit)
        return !luhnPasses(number.slice(0, index) + digit + number.slice(index + 1))
      }),
    )
  })
})

test('the cross-sum of a double is a permutation of the digits', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(doubledCrossSum)).toEqual([0, 2, 4, 6, 8, 1, 3, 5, 7, 9])
})
