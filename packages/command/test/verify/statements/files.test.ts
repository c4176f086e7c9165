/**
 * Files that one program reads as another would not, and files whose buyer made them so: what is proved is what was sold, in the
 * list that `verify` writes, and no word of a proof is said of the file.
 */
import { createHash } from 'node:crypto'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validValue } from '../../../../../test/support/identifiers.ts'
import { type Cell, xlsx } from '../../../../../test/support/workbooks.ts'
import { type BoughtList, buyList } from './bought-list.ts'
import { CSV_CHANGES, JSON_LINES_CHANGES, WORKBOOK_CHANGES } from './file-changes.ts'

const values = Array.from({ length: 5 }, (_, at) => validValue('iban', at))
const BAD = values[0]?.replace(/.$/, 'X') ?? ''
const ALL = [...values, BAD]

const csv = `no;iban;note\n${ALL.map((iban, at) => `${at};${iban};n`).join('\n')}\n`
const lines = ALL.map((iban, at) => `{"no":${at},"iban":"${iban}"}\n`).join('')
const sheet: Cell[][] = [['no', 'iban'], ...ALL.map((iban, at) => [String(at), iban])]
/** Name, bytes, name of the output, and further options. */
type Sold = readonly [string, string | Uint8Array, string, (readonly string[])?]

/** Lists of a buyer who means to forge with them later, sold and written honestly. */
const FORGERS: Readonly<Record<string, Sold>> = {
  'own columns valid and code': [
    'own.csv',
    `iban;valid;code\n${ALL.map((iban) => `${iban};true;ok`).join('\n')}\n`,
    'own-out.csv',
  ],
  'own members valid and code': [
    'own.jsonl',
    ALL.map((iban) => `{"iban":"${iban}","valid":"true","code":"ok"}\n`).join(''),
    'own-out.jsonl',
  ],
  'a table for each of two delimiters': [
    'two.csv',
    `a,b;iban;c\n${ALL.map((iban, at) => `true,${at};${iban};ok`).join('\n')}\n`,
    'two-out.csv',
  ],
  'cells that begin like formulas': [
    'formula.csv',
    `iban;note\n${ALL.map((iban, at) => `${iban};=A${at}&"true"`).join('\n')}\n`,
    'formula-out.csv',
  ],
  'lines above the headings': [
    'above.csv',
    `All of these were checked by the bank\n\nno;iban;note\n${ALL.map((iban) => `1;${iban};x`).join('\n')}\n`,
    'above-out.csv',
  ],
  'a second sheet with results of its own': [
    'sheets.xlsx',
    xlsx({ Data: sheet, Checked: [['iban', 'valid'], ...ALL.map((iban) => [iban, 'true'])] }),
    'sheets-out.xlsx',
    ['--sheet', 'Data'],
  ],
  'a sheet whose own column is called valid': [
    'valid.xlsx',
    xlsx({ Data: [['iban', 'valid'], ...ALL.map((iban) => [iban, 'true'])] }),
    'valid-out.xlsx',
  ],
}
const HONEST: Readonly<Record<string, Sold>> = {
  CSV: ['list.csv', csv, 'list-out.csv'],
  'JSON Lines': ['list.jsonl', lines, 'list-out.jsonl'],
  'a workbook': ['list.xlsx', xlsx({ Data: sheet }), 'list-out.xlsx'],
}

/** The words of a proof stand in the lines of the rows alone. */
function saysNothingOfTheFile(text: string) {
  for (const line of text.split('\n').filter((each) => /^(?:file|input)\b/.test(each)))
    expect(line).not.toMatch(/genuine|proved|byte for byte/i)
  expect(text).not.toMatch(/genuine|byte for byte/i)
}

function expectSold({ rows }: { readonly rows: readonly Readonly<Record<string, unknown>>[] }) {
  expect(rows.map(({ cell, value, valid, code }) => [cell, value, valid, code])).toEqual(
    ALL.map((value, at) => {
      const { valid, details } = CHECKS.iban(value)
      return [at + 1, value, valid, details.code]
    }),
  )
}

const CHANGES = { CSV: CSV_CHANGES, 'JSON Lines': JSON_LINES_CHANGES, 'a workbook': WORKBOOK_CHANGES }

describe.each(Object.entries(HONEST))('of %s', (kind, [name, input, out, more = []]) => {
  let bought: BoughtList
  beforeAll(async () => {
    bought = await buyList(input, { name, out, more: ['--column', 'iban', ...more] })
  })
  afterAll(() => bought.stop())

  const changes = Object.entries(CHANGES[kind as keyof typeof CHANGES])

  test(`${changes.length} changed files prove nothing, and change nothing of what is proved`, async () => {
    for (const [what, change] of changes) {
      const list = change(bought.bytes)
      expect(Buffer.from(list).equals(bought.bytes), what).toBe(false)
      const told = await bought.verify(bought.statement, { list })
      expect([what, told.code, told.json.file]).toEqual([what, 1, 'changed'])
      saysNothingOfTheFile(told.text)
      expectSold(told)
      // The forger writes the hash as well.
      const sha256 = createHash('sha256').update(list).digest('hex')
      const statement = { ...bought.statement, output: { ...bought.statement.output, sha256 } }
      const alike = await bought.verify(statement, { list })
      expect([what, alike.code, alike.json.file]).toEqual([what, 0, 'same_hash'])
      expect(alike.text).toContain('No one signed that hash')
      saysNothingOfTheFile(alike.text)
      expectSold(alike)
    }
  })
})

test.each(Object.entries(FORGERS))('of a list with %s, sold honestly', async (_what, [
  name,
  input,
  out,
  more = [],
]) => {
  const bought = await buyList(input, { name, out, more: ['--column', 'iban', ...more] })
  const told = await bought.verify(bought.statement)
  expect([told.code, told.json.file]).toEqual([0, 'same_hash'])
  saysNothingOfTheFile(told.text)
  expectSold(told)
  await bought.stop()
})
