import { readFileSync } from 'node:fs'
import type { CheckType } from 'format-checker-checks/verdict'
import { describe, expect, test } from 'vitest'
import { skillOf } from '../../packages/command/src/skills.ts'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import { findValueColumn } from '../../src/lists/columns.ts'
import { ListFault } from '../../src/lists/list-fault.ts'

interface Row {
  readonly type: CheckType
  /** Heading and kind of its cells. */
  readonly columns: readonly (readonly [string, string])[]
  /** What a bookkeeper checks, from 0; "ask" if only they can say. */
  readonly choice: number | 'ask'
}

const { headings, rows } = JSON.parse(
  readFileSync(new URL('../vectors/list-headings.json', import.meta.url), 'utf8'),
) as { headings: Record<string, readonly string[]>; rows: readonly Row[] }

const VALUES: Readonly<Record<string, readonly string[]>> = {
  iban: [
    'DE89370400440532013000',
    'PL61109010140000071219812874',
    'FR7630006000011234567890189',
    'NL91ABNA0417164300',
  ],
  vat: ['DE136695976', 'ATU13585627', 'PL5260250274', 'CZ25123891'],
  nip: ['5260250274', '7740001454', '526-025-02-74', '7251801126'],
  email: ['jan@firma.pl', 'info@example.com', 'a.b@example.org', 'x@example.net'],
  amount: ['100,10', '137,11', '1 174,12', '211.13'],
  percent: ['23%', '8 %', '5%', '0%'],
  'ledger-number': ['70000', '70001', '70002', '70003'],
  'yes-no': ['yes', 'no', 'yes', 'no'],
  date: ['2026-01-10', '2026-01-11', '2026-01-12', '2026-01-13'],
  pesel: ['44051401359', '44051401359', '44051401359', '44051401359'],
  'sk-dic': ['2022749610', '2022749611', '2022749612', '2022749613'],
  'sk-vat': ['', 'SK2022749619', 'SK2022749619', ''],
  text: ['A', 'B', 'C', 'D'],
  empty: ['', '', '', ''],
}
const cell = (kind: string, row: number) =>
  kind.startsWith('own-') ? VALUES[kind.slice(4)]?.[0] : VALUES[kind]?.[row]

const KINDS: Readonly<Record<string, string>> = {
  iban: 'iban',
  'eu-vat': 'vat',
  'pl-nip': 'nip',
  email: 'email',
}

function choose({ type, columns }: Omit<Row, 'choice'>): number | string {
  const below = [0, 1, 2, 3].map((row) => columns.map(([, kind]) => cell(kind, row) ?? ''))
  try {
    return findValueColumn(
      listCheckOf(skillOf(type)),
      columns.map(([name]) => name),
      below,
    ).index
  } catch (error) {
    expect(error).toBeInstanceOf(ListFault)
    return (error as Error).message
  }
}

describe.each(Object.entries(headings))('%s', (type, list) => {
  test.each(list)('the heading %s is found', (heading) => {
    const columns = [
      ['Lp', 'text'],
      [heading, KINDS[type] ?? ''],
      ['Opis', 'text'],
    ] as const
    expect(choose({ type: type as CheckType, columns })).toBe(1)
  })
})

test.each(rows)('$type of $columns: the column of a bookkeeper, or a question, never another', (row) => {
  const found = choose(row)
  if (typeof found === 'number') expect(found).toBe(row.choice)
  else expect(found).toContain('--column')
})

test('of the rows that have an answer nine of ten are answered', () => {
  const answered = rows.filter((row) => row.choice !== 'ask')
  expect(answered.filter((row) => choose(row) === row.choice).length).toBeGreaterThanOrEqual(
    answered.length * 0.9,
  )
})

test('a question names heading, number, fitting cells and their form, and no value', () => {
  const columns = [
    ['IBAN 1', 'iban'],
    ['IBAN 2', 'iban'],
  ] as const
  expect(choose({ type: 'iban', columns })).toBe(
    'say which column to check with --column: 1 "IBAN 1" (4 of 4 cells fit, such as AA99999999999999999999); ' +
      '2 "IBAN 2" (4 of 4 cells fit, such as AA99999999999999999999)',
  )
})
