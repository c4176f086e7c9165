import { describe, expect, it } from 'vitest'
import { headingsOf } from '../../../../src/skills/column-headings.ts'
import { realRegistry } from '../../../support/registry.ts'
import { asset } from './asset.ts'

interface Row {
  readonly line: number
  readonly at?: number
  readonly skipped?: string
}
interface Plan {
  readonly header: readonly string[]
  readonly rows: readonly Row[]
  readonly values: readonly string[]
  readonly duplicates: number
  readonly skipped: number
  readonly overLimit: number
}
interface Check {
  readonly type: string
  readonly headings: readonly string[]
}

const { planList, guessColumn, hasHeader } = await asset<{
  planList(records: readonly string[][], column: number, isNamed: boolean): Plan
  guessColumn(records: readonly string[][], check: Check): number
  hasHeader(records: readonly string[][], check: Check, column: number): boolean
}>('list-plan.js')

const IBAN = { type: 'iban', headings: headingsOf(realRegistry().get('iban')!) }
const NIP = { type: 'pl-nip', headings: headingsOf(realRegistry().get('pl-nip')!) }
const EMAIL = { type: 'email', headings: headingsOf(realRegistry().get('email')!) }

describe('the column of the values', () => {
  it.each([
    [
      'by its heading',
      [
        ['Name', 'IBAN'],
        ['A1', 'DE1'],
      ],
      IBAN,
      1,
      true,
    ],
    [
      'by a heading in another language',
      [
        ['Firma', 'Nr konta', 'Konto'],
        ['A1', '2', 'DE1'],
      ],
      IBAN,
      2,
      true,
    ],
    [
      'by what it holds',
      [
        ['Name', 'Where'],
        ['A', 'x@y.example'],
      ],
      EMAIL,
      1,
      true,
    ],
    [
      "by the type's own name before any other",
      [
        ['Account', 'IBAN'],
        ['Nordwind', 'DE1'],
      ],
      IBAN,
      1,
      true,
    ],
    ['without a heading', [['DE1'], ['DE2']], IBAN, 0, false],
    ['without one, behind a label', [['NIP 526-025-02-74'], ['NIP 522-312-21-19']], NIP, 0, false],
    ['by a heading with an abbreviation', [['Adr. e-mail'], ['a@b.pl']], EMAIL, 0, true],
    ['without one, above a broken address', [['jan.example.pl'], ['a@b.pl']], EMAIL, 0, false],
    ['with a heading alone', [['numbers'], ['DE2']], IBAN, 0, true],
    ['of an empty list', [], IBAN, 0, false],
    ['of one value that is a word', [['DE']], IBAN, 0, false],
  ])('is found %s', (_how, records, check, column, isNamed) => {
    expect(guessColumn(records, check)).toBe(column)
    expect(hasHeader(records, check, column)).toBe(isNamed)
  })
})

describe('what is sent of a list', () => {
  it('is each value once, without what the service refuses', () => {
    const long = 'x'.repeat(513)
    const records = [
      ['v', 'n'],
      ['DE1', '1'],
      ['DE2', '2'],
      ['DE1', '3'],
      [' ', '4'],
      [long, '5'],
      ['\ud800', '6'],
      [],
    ]
    const plan = planList(records, 0, true)
    expect(plan).toMatchObject({ header: ['v', 'n'], values: ['DE1', 'DE2'], duplicates: 1, skipped: 4 })
    expect(plan.rows.map(({ at, skipped }) => at ?? skipped)).toEqual([
      0,
      1,
      0,
      'empty',
      'value_too_long',
      'value_not_unicode',
      'empty',
    ])
  })

  it('is what a formula shows, and nothing that may stand under another heading', () => {
    const records = [
      ['name', 'iban'],
      ['A', '="DE1"'],
      ['Nowak', ' Jan', 'DE2'],
      ['B', 'DE3', ''],
    ]
    const plan = planList(records, 1, true)
    expect(plan.values).toEqual(['DE1', 'DE3'])
    expect(plan.rows[1]).toMatchObject({ skipped: 'too_many_cells' })
  })

  it('counts characters as the service does', () => {
    const pairs = '\u{10000}'
    expect(planList([[pairs.repeat(512)], [pairs.repeat(513)]], 0, false)).toMatchObject({
      values: [pairs.repeat(512)],
      skipped: 1,
    })
  })

  it('ends at a thousand values, repeated ones not counted', () => {
    const values = Array.from({ length: 1_005 }, (_, at) => [`DE${at}`])
    const plan = planList([...values, ['DE7']], 0, false)
    expect(plan.values).toHaveLength(1_000)
    expect(plan).toMatchObject({ header: ['value'], duplicates: 1, overLimit: 5, skipped: 5 })
    expect(plan.rows.at(-1)).toMatchObject({ line: 1_006, at: 7 })
  })
})
