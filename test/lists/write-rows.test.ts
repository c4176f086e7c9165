import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InputRow, ListInput } from '../../src/lists/input-row.ts'
import { parseCsv } from '../../src/lists/parse-csv.ts'
import type { RowResult } from '../../src/lists/results.ts'
import { createRowFormatter, type OutputFormat } from '../../src/lists/write-rows.ts'

const LIST: Omit<ListInput, 'rows'> = {
  format: 'csv',
  delimiter: ';',
  header: ['name', 'iban'],
  isNamed: true,
  columns: [{ index: 0, type: 'iban' }],
  headerLine: 1,
  sheet: null,
  above: { text: '', lines: 0 },
  encoding: { name: 'utf-8', hasBom: false, isGuess: false },
}
const ROW: InputRow = { line: 2, type: 'iban', cells: ['A; "B"', 'DE1'], value: 'DE1' }
const VALID: RowResult = { kind: 'checked', valid: true, code: 'ok', reason: 'Fine; so.', normalized: 'DE•1' }
const SKIPPED: RowResult = { kind: 'skipped', code: 'empty' }

const format = (to: OutputFormat, change: Partial<ListInput> = {}) =>
  createRowFormatter(to, { ...LIST, ...change })

describe('CSV', () => {
  test('has the columns of the input, then those of the result, quoted where needed', () => {
    const { head, row } = format('csv')
    expect(head).toBe('name;iban;valid;code;reason;normalized;cleaned;hint;place;suggested;warnings;bank\r\n')
    expect(row(ROW, VALID)).toBe('"A; ""B""";DE1;true;ok;"Fine; so.";DE*1;;;;;;\r\n')
    expect(row(ROW, SKIPPED)).toBe('"A; ""B""";DE1;;empty;Empty.;;;;;;;\r\n')
  })

  test('gives a spreadsheet no formula of the service', () => {
    for (const formula of ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', ' =1', '\uff1d1']) {
      const told: RowResult = { ...VALID, code: formula, reason: formula, normalized: formula, bank: formula }
      const line = format('csv')
        .row({ ...ROW, cells: ['A', 'DE1'] }, told)
        .replaceAll('"', '')
      expect(line.split(`;'`)).toHaveLength(5)
      expect(line).not.toMatch(/[;\t\r] *[=+\-@\uff1d]/)
    }
  })

  test('changes none of the list: headings, rows, and byte for byte the lines above them', () => {
    const above = { text: '"Report";"1"\n\n=1+1;x,=2\n', lines: 3 }
    const list = { ...LIST, header: ['=name', 'iban'], above }
    const { head, row } = createRowFormatter('csv', list)
    expect(head.startsWith(`${above.text}=name;iban;valid;`)).toBe(true)
    for (const cell of ['-12,50', '+48 600', '@x', "'1"])
      expect(
        parseCsv(row({ ...ROW, cells: [cell, 'DE1'] }, VALID), ';').records[0]?.cells.slice(0, 3),
      ).toEqual([cell, 'DE1', 'true'])
  })

  test('guards what is added: a cleaned address may begin like a formula', () => {
    const told = { cleaned: '=jan@firma.pl', suggested: null }
    const { row } = createRowFormatter('csv', LIST, { own: () => told })
    expect(row(ROW, VALID)).toContain(`;'=jan@firma.pl;`)
  })

  test('gives none to a spreadsheet of another locale, which divides cells elsewhere', () => {
    const told: RowResult = { ...VALID, reason: 'a,=1+1;=2|@3\n=4, b' }
    expect(format('csv', { delimiter: ',' }).row({ ...ROW, cells: ['a;=1', 'DE1'] }, told)).toBe(
      `"a;=1",DE1,true,ok,"a,=1+1;'=2|'@3\n'=4, b",DE*1,,,,,,\r\n`,
    )
  })

  test('puts the result of a short row under its heading', () => {
    expect(format('csv').row({ line: 2, type: 'iban', cells: ['A'], value: null }, SKIPPED)).toBe(
      'A;;;empty;Empty.;;;;;;;\r\n',
    )
  })

  test('puts the result of a long row there too: what is over stays in the last cell, as it was written', () => {
    const shifted: InputRow = {
      line: 2,
      type: 'iban',
      cells: ['A', ' B', 'DE1'],
      leftOut: 'too_many_cells',
      value: null,
    }
    const told: RowResult = { kind: 'skipped', code: 'too_many_cells' }
    expect(format('csv').row(shifted, told)).toMatch(/^A;" B;DE1";;too_many_cells;More cells/)
  })

  test('has no cell for a member of JSON Lines that came too late for the header', () => {
    const late = { ...ROW, cells: ['A', 'DE1', 'late'], text: '{"name":"A","iban":"DE1","note":"late"}' }
    expect(format('csv').row(late, SKIPPED)).toBe('A;DE1;;empty;Empty.;;;;;;;\r\n')
  })

  test('takes no name that the input has', () => {
    expect(format('csv', { header: ['code', 'iban', 'valid', 'valid_2'] }).head).toBe(
      'code;iban;valid;valid_2;valid_3;code_2;reason;normalized;cleaned;hint;place;suggested;warnings;bank\r\n',
    )
  })

  test('has a header if the input had one', () => {
    expect(format('csv', { isNamed: false }).head).toBe('')
  })

  test('leaves a suggestion out that the encoding would change', () => {
    const only = (holds: (text: string) => boolean) =>
      createRowFormatter('csv', LIST, { own: () => ({ cleaned: 'DE1', suggested: 'ż' }), holds }).row(
        ROW,
        VALID,
      )
    expect(only(() => true)).toContain(';ż;')
    expect(only(() => false)).not.toContain('ż')
  })

  test('leaves the bank out that the encoding would change', () => {
    const only = (holds: (text: string) => boolean) =>
      createRowFormatter('csv', LIST, { holds }).row(ROW, { ...VALID, bank: 'Śląski Bank, ABCDPLPW' })
    expect(only(() => true)).toContain('Śląski Bank, ABCDPLPW')
    expect(only((text) => text === '')).not.toContain('Bank')
  })
})

describe('JSON Lines', () => {
  test('has the cells by name, or the members of the input', () => {
    const { row } = format('jsonl')
    expect(JSON.parse(row(ROW, VALID))).toEqual({
      name: 'A; "B"',
      iban: 'DE1',
      valid: true,
      code: 'ok',
      reason: 'Fine; so.',
      normalized: 'DE*1',
      cleaned: null,
      hint: null,
      place: [],
      suggested: null,
      warnings: [],
      bank: null,
    })
    expect(
      JSON.parse(row({ line: 2, type: 'iban', cells: [], text: '{"id":7}', value: null }, SKIPPED)),
    ).toEqual({
      id: 7,
      valid: null,
      code: 'empty',
      reason: 'Empty.',
    })
  })
})

test('the cleaned value has a column of its own', () => {
  const own = () => ({ cleaned: 'DE1', suggested: null })
  expect(createRowFormatter('csv', LIST, { own }).row(ROW, VALID)).toContain(';DE*1;DE1;;')
  expect(JSON.parse(createRowFormatter('jsonl', LIST, { own }).row(ROW, VALID))).toMatchObject({
    cleaned: 'DE1',
  })
})

test('JSON Lines have a member for every column, also where headings repeat or are missing', () => {
  const { row } = format('jsonl', { header: ['iban', 'iban', '', 'iban_2', ''] })
  const cells = ['DE1', 'DE2', 'a', 'DE3', 'b']
  expect(JSON.parse(row({ ...ROW, cells }, SKIPPED))).toMatchObject({
    ...{ iban: 'DE1', iban_3: 'DE2', column_3: 'a', iban_2: 'DE3', column_5: 'b' },
    code: 'empty',
  })
})

test('JSON Lines keep a member that has the name of a result', () => {
  const { row } = format('jsonl', { header: ['code', 'iban'] })
  const members = { code: 'K-1', iban: 'DE1' }
  const text = JSON.stringify(members)
  expect(
    JSON.parse(row({ line: 2, type: 'iban', cells: ['K-1', 'DE1'], value: 'DE1' }, VALID)),
  ).toMatchObject({
    code: 'K-1',
    code_2: 'ok',
  })
  expect(JSON.parse(row({ line: 2, type: 'iban', cells: [], text, value: 'DE1' }, SKIPPED))).toEqual({
    ...members,
    valid: null,
    code_2: 'empty',
    reason: 'Empty.',
  })
})

test('a row of JSON Lines comes back as it was written, with the digits of its numbers', () => {
  const { row } = format('jsonl')
  const written = (text: string) => row({ ...ROW, text }, SKIPPED)
  const result = '"valid":null,"code":"empty","reason":"Empty."}\n'
  expect(written(' {"id": 12345678901234567890, "iban": "DE1" } ')).toBe(
    `{"id": 12345678901234567890, "iban": "DE1",${result}`,
  )
  expect(written('{ }')).toBe(`{${result}`)
})

describe('a table', () => {
  test('begins each line with the result, and has no control characters', () => {
    const { head, row } = format('table')
    expect(head).toBe('RESULT  CODE                      INPUT\n')
    expect(row({ line: 2, type: 'iban', cells: ['x\u001b[2Ky'], value: 'x' }, VALID)).toBe(
      'valid   ok                        x [2Ky\n',
    )
    const lie = { ...VALID, valid: false, code: 'a\n\u001b[2K' }
    expect(row({ line: 2, type: 'iban', cells: ['x'], value: 'x' }, lie)).toMatch(/^invalid a {2}\[2K +x\n$/)
  })
})

/** Whether a source writes lines of CSV by itself: quotes a cell, or joins cells with what divides them. */
const writesCsv = (text: string): boolean =>
  /replace(?:All)?\(\s*(?:'"'|"\\""|\/"\/g),\s*(?:'""'|`""`)\)|\.join\((?:delimiter|'[,;]'|"[,;]")\)\}?(?:\\r)?\\n|\.join\((?:delimiter|'[,;]'|"[,;]")\) \+ ['"`](?:\\r)?\\n/.test(
    text,
  )

test.each([
  "const quoted = cell.replaceAll('\"', '\"\"')",
  'const quoted = cell.replace(/"/g, \'""\')',
  "const line = `{cells.join(',')}\\r\\n`",
  "const line = `{cells.join(';')}\\n`",
  "const line = cells.join(',') + '\\n'",
])('a source that writes a line of CSV is found: %s', (text) => {
  expect(writesCsv(text)).toBe(true)
})

test('every line of CSV is written by one function, in packages and scripts too', () => {
  const root = join(import.meta.dirname, '../..')
  const paths = globSync(['src/**/*.{ts,js}', 'packages/*/src/**/*.ts', 'scripts/**/*.ts'], { cwd: root })
  expect(paths.filter((path) => writesCsv(readFileSync(join(root, path), 'utf8')))).toEqual([
    'src/values/csv-line.ts',
  ])
})
