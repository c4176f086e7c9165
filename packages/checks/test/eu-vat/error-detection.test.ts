import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MEMBER_STATES } from '../../src/eu-vat/member-states.ts'

/**
 * Templates: 9 a random digit, # a digit and @ a letter worked out by trying, any other character as it stands.
 * Where it holds, a rule that gives every remainder its own check character catches every single error.
 */
const CATCHES_ALL: ReadonlyArray<readonly [string, string]> = [
  ['AT', 'U9999999#'],
  ['BE', '09999999##'],
  ['BE', '19999999##'],
  ['CY', '99999999@'],
  ['DE', '99999999#'],
  ['DK', '9999999#'],
  ['EE', '10999999#'],
  ['ES', '99999999@'],
  ['ES', 'X9999999@'],
  ['ES', 'B9999999#'],
  ['FI', '9999999#'],
  ['FR', '##99999999#'],
  ['HR', '9999999999#'],
  ['HU', '9999999#'],
  ['IE', '9999999@'],
  ['IE', '9999999@A'],
  ['IT', '9999999015#'],
  ['LU', '999999##'],
  ['LV', '4999999999#'],
  ['MT', '999999##'],
  ['NL', '99999999#B01'],
  ['PL', '999999999#'],
  ['SE', '999999999#01'],
  ['SI', '9999999#'],
  ['SK', '999999999#'],
]

/** Rules that map two remainders to one check digit, or accept two, let a few errors through. */
const CATCHES_MOST: ReadonlyArray<readonly [string, string, number]> = [
  ['BG', '99999999#', 0.95],
  ['CZ', '9999999#', 0.95],
  ['CZ', '69999999#', 0.95],
  ['EL', '99999999#', 0.95],
  ['LT', '99999991#', 0.95],
  ['LT', '99999999991#', 0.95],
  ['NL', '999999999B##', 0.85],
  ['PT', '99999999#', 0.95],
  ['RO', '999999999#', 0.95],
  ['XI', '9999999##', 0.95],
]

const DIGITS = [...'0123456789']
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const symbolsFor = (placeholder: string): readonly string[] => (placeholder === '@' ? LETTERS : DIGITS)

function replaceAt(text: string, index: number, symbol: string): string {
  return text.slice(0, index) + symbol + text.slice(index + 1)
}

/** Fills # and @ from the left until the number passes; null when no filling does. */
function complete(text: string, template: string, passes: (national: string) => boolean): string | null {
  const index = text.search(/[#@]/)
  if (index < 0) return passes(text) ? text : null
  for (const symbol of symbolsFor(template[index]!)) {
    const filled = complete(replaceAt(text, index, symbol), template, passes)
    if (filled !== null) return filled
  }
  return null
}

/** Every text that differs from the number in one random or worked-out character. */
function neighbours(number: string, template: string): string[] {
  return [...template].flatMap((placeholder, index) => {
    if (!'9#@'.includes(placeholder)) return []
    return symbolsFor(placeholder).flatMap((symbol) =>
      symbol === number[index] ? [] : [replaceAt(number, index, symbol)],
    )
  })
}

const passesOf = (prefix: string) => (national: string) =>
  MEMBER_STATES.get(prefix)!.national.passes(national)

function numbers(prefix: string, template: string): fc.Arbitrary<string> {
  const count = template.split('9').length - 1
  return fc
    .array(fc.constantFrom(...DIGITS), { minLength: count, maxLength: count })
    .map((digits) => {
      let next = 0
      const filled = template.replace(/9/g, () => digits[next++]!)
      return complete(filled, template, passesOf(prefix))
    })
    .filter((number) => number !== null)
}

describe('single-character errors', () => {
  test.each(CATCHES_ALL)('%s %s: every one is caught', (prefix, template) => {
    const passes = passesOf(prefix)
    fc.assert(
      fc.property(numbers(prefix, template), (number) => !neighbours(number, template).some(passes)),
      { numRuns: 30 },
    )
  })

  test.each(CATCHES_MOST)('%s %s: at least the share %d is caught', (prefix, template, share) => {
    const passes = passesOf(prefix)
    const all = fc
      .sample(numbers(prefix, template), { numRuns: 200, seed: 1 })
      .flatMap((number) => neighbours(number, template))
    expect(all.filter((neighbour) => !passes(neighbour)).length / all.length).toBeGreaterThan(share)
  })
})
