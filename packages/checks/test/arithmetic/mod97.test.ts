import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mod97 } from '../../src/arithmetic/mod97.ts'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const character = fc.constantFrom(...ALPHANUMERIC)
const text = fc.string({ unit: character, minLength: 1, maxLength: 34 })

/** The definition, over one large number. */
function remainderByDefinition(value: string): number {
  const expanded = [...value].map((symbol) => ALPHANUMERIC.indexOf(symbol)).join('')
  return Number(BigInt(expanded) % 97n)
}

describe('mod97', () => {
  test('agrees with the definition over one large number', () => {
    fc.assert(fc.property(text, (value) => mod97(value) === remainderByDefinition(value)))
  })

  test('gives 1 for a rearranged IBAN and 0 for the empty string', () => {
    expect(mod97('370400440532013000DE89')).toBe(1)
    expect(mod97('')).toBe(0)
  })

  test('reads only the part between start and end', () => {
    expect(mod97('XX0428759497', 2, 10)).toBe(4287594 % 97)
  })

  test('catches every single-character change', () => {
    fc.assert(
      fc.property(text, fc.nat(), character, (value, seed, replacement) => {
        const index = seed % value.length
        // A letter weighs two digits: only a digit for a digit and a letter for a letter keep the length.
        fc.pre(value[index] !== replacement && value[index]! < 'A' === replacement < 'A')
        return mod97(value) !== mod97(value.slice(0, index) + replacement + value.slice(index + 1))
      }),
    )
  })
})
