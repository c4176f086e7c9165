import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { expect, test } from 'vitest'
import { HEADING_WORDS } from '../../src/catalog/column-headings.ts'
import { checkedOf, describeResult, NO_WORDS } from '../../src/lists/results.ts'
import { suggest } from '../../src/lists/suggest.ts'
import { cellWith } from '../../src/lists/table-rows.ts'

const checkOf = (id: CheckType) => ({
  ...{ id, headings: [id], words: HEADING_WORDS, isText: id === 'email', shortest: 6 },
})

const suggested = (type: CheckType, value: string) => {
  const result = checkedOf(CHECKS[type](value))
  return describeResult(result, {
    ...NO_WORDS,
    suggested: suggest(value, result, (each) => CHECKS[type](each).valid),
  })
}

test.each([
  ['iban', 'NL91ABNA0417164300, NL27INGB0000026500'],
  ['pl-nip', '5260250274;7740001454'],
  ['email', 'jan@firma.pl; anna@firma.pl'],
] as const)('%s: a cell with two values is left out, free', (type, value) => {
  expect(cellWith(checkOf(type), value)).toEqual({ type, leftOut: 'several_values', value: null })
})

test('a service that is asked all the same suggests neither, and no place', () => {
  const result = suggested('eu-vat', 'DE136695976 / ATU13585627')
  expect(result).toMatchObject({ valid: false, place: [], suggested: null })
})

test.each([
  ['iban', 'IBAN: DE89370400440532013000', 'DE89370400440532013000'],
  ['eu-vat', 'GREL094259216', 'EL094259216'],
  ['pl-nip', '**5260250274**', '5260250274'],
  ['pl-nip', '5.260250274E9', '5260250274'],
  ['email', '[Jan](mailto:jan@firma.pl)', 'jan@firma.pl'],
] as const)('%s: of %s one value is suggested', (type, value, meant) => {
  expect(suggested(type, value)).toMatchObject({ suggested: meant })
})

test.each([
  ['5.260250274E+09', { value: '5.260250274E+09' }],
  ['5.26E+09', { leftOut: 'digits_lost', value: null }],
  ['5.26E9', { leftOut: 'digits_lost', value: null }],
])('%s is left out only if it lost digits', (cell, expected) => {
  expect(cellWith(checkOf('pl-nip'), cell)).toEqual({ type: 'pl-nip', ...expected })
})
