import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { legacyHint } from '../../src/eu-vat/member-state.ts'
import { MEMBER_STATES } from '../../src/eu-vat/member-states.ts'

function hintOf(value: string): string | null {
  return legacyHint(MEMBER_STATES.get(value.slice(0, 2))!, value.slice(2)) ?? null
}

describe('legacyHint', () => {
  test.each([
    ['AT15159209', 'austrian_without_u'],
    ['BE428759497', 'belgian_nine_digits'],
    ['EL94051189', 'greek_eight_digits'],
    ['FR303265045', 'french_siren_without_key'],
    ['HU12892312441', 'hungarian_domestic_number'],
    ['IT120154', 'leading_zero_lost'],
    ['NL4495445B01', 'dutch_without_leading_zeros'],
    ['NL004495445', 'dutch_without_suffix'],
    ['RO1630615123457', 'romanian_cnp'],
    ['SE5560160680', 'swedish_without_01'],
  ])('%s is %s', (value, hint) => {
    expect(hintOf(value)).toBe(hint)
  })

  test.each([
    'BE42875949X',
    'BE1428759497',
    'BE4287594970',
    'BE428759498',
    // BE0416666468 cut off; 0041666646 fits by chance, and no number starts with two zeros.
    'BE041666646',
    // BE1184533316 cut off: numbers of the old form start with 2 or more.
    'BE118453331',
    'EL9405118',
    'HU1289231244',
    // IT00000020156 without six zeros.
    'IT20156',
    'NLB01',
    'NL4495445C01',
    'NL449B445B01',
    'RO163061512345',
    'AT',
    'DE1',
  ])('%s has none', (value) => {
    expect(hintOf(value)).toBeNull()
  })

  test('never throws and never carries a digit of the input', () => {
    const states = fc.constantFrom(...MEMBER_STATES.values())
    fc.assert(
      fc.property(states, fc.string({ maxLength: 16 }), (state, national) => {
        const hint = legacyHint(state, national) ?? null
        return hint === null || /^[a-z]+(_[a-z]+)*(_01)?$/.test(hint)
      }),
    )
  })
})
