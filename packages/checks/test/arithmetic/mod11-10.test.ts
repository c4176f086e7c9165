import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mod11Then10Passes } from '../../src/arithmetic/mod11-10.ts'

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 })
const checkDigits = [...'0123456789']

describe('mod11Then10Passes', () => {
  test('accepts published numbers and refuses their neighbours', () => {
    expect(mod11Then10Passes('33392005961')).toBe(true)
    expect(mod11Then10Passes('33392005962')).toBe(false)
    expect(mod11Then10Passes('136695976')).toBe(true)
    expect(mod11Then10Passes('136695977')).toBe(false)
  })

  test('reads only the part between start and end', () => {
    expect(mod11Then10Passes('10010051863000160', 0, 7)).toBe(true)
    expect(mod11Then10Passes('10010051863000160', 7)).toBe(true)
  })

  test('exactly one check digit completes any digits', () => {
    fc.assert(
      fc.property(
        digits,
        (value) => checkDigits.filter((check) => mod11Then10Passes(value + check)).length === 1,
      ),
    )
  })

  test('catches every single-digit change', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.nat({ max: 9 }), (value, seed, digit) => {
        const number = value + checkDigits.find((check) => mod11Then10Passes(value + check))
        const index = seed % number.length
        fc.pre(Number(number[index]) !== digit)
        return !mod11Then10Passes(number.slice(0, index) + digit + number.slice(index + 1))
      }),
    )
  })
})
