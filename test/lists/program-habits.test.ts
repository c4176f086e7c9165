/** Lists as programs write them: what is bought of each, and what is refused, with what to do. */

import type { CheckType } from 'format-checker-checks/verdict'
import { describe, expect, test } from 'vitest'
import { skillOf } from '../../packages/command/src/skills.ts'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import type { InputRow, ReadListOptions } from '../../src/lists/input-row.ts'
import { readList } from '../../src/lists/read-list.ts'
import { xlsx } from '../support/workbooks.ts'

const checkOf = (type: CheckType) => listCheckOf(skillOf(type))
const IBAN = checkOf('iban')
const PL = 'PL61109010140000071219812874'
const DE = 'DE89370400440532013000'

async function read(file: string | Buffer, options: Partial<ReadListOptions> = {}) {
  const bytes = (async function* () {
    yield Buffer.from(file)
  })()
  const list = await readList(bytes, { check: IBAN, ...options })
  const rows: InputRow[] = []
  for await (const row of list.rows) rows.push(row)
  return { ...list, rows, values: rows.map(({ value }) => value) }
}

describe('both values, and nothing else, are read from', () => {
  test.each([
    ['a column alone with its heading', `IBAN\n${PL}\n${DE}\n`],
    ['the same in quotes', `"IBAN"\n"${PL}"\n"${DE}"\n`],
    ['the same with quotes around values only (PostgreSQL, FORCE_QUOTE)', `iban\n"${PL}"\n"${DE}"\n`],
    ['a line that names the delimiter of three columns', `sep=;\r\nid;iban;x\r\n1;${PL};3\r\n2;${DE};4\r\n`],
    ['the same in capitals and quotes', `"SEP=;"\r\nid;iban;x\r\n1;${PL};3\r\n2;${DE};4\r\n`],
    ['Export-Csv of PowerShell 5', `#TYPE System.Object\r\n"id","iban"\r\n"1","${PL}"\r\n"2","${DE}"\r\n`],
    ['a heading in CR LF above rows in LF', `id,iban\r\n1,${PL}\n2,${DE}\n`],
    ['a heading in LF above rows in CR LF', `id,iban\n1,${PL}\r\n2,${DE}\r\n`],
    ['lines that end in CR', `id,iban\r1,${PL}\r2,${DE}\r`],
    ['rows that end in a delimiter', `id,iban\n1,${PL},\n2,${DE},\n`],
    ['a heading that ends in one', `id,iban,\n1,${PL}\n2,${DE}\n`],
    ['formulas that keep zeros', `id,iban\n1,="${PL}"\n2,"=""${DE}"""\n`],
    ['a title above the headings', `Dostawcy\n\nid;iban\n1;${PL}\n2;${DE}\n`],
    ['the index of pandas', `,iban\n0,${PL}\n1,${DE}\n`],
  ])('%s', async (_what, text) => {
    expect((await read(text)).values).toEqual([PL, DE])
    // With the column said it is read as CSV, whatever it looks like.
    expect((await read(text, { column: 'iban' })).values).toEqual([PL, DE])
  })
})

test('a column of IBANs may be cut off at twelve characters, and no earlier', async () => {
  const { values } = await read('id,Konto\n1,DE8937040044\n2,GB82WEST1234\n')
  expect(values).toEqual(['DE8937040044', 'GB82WEST1234'])
  await expect(read('id,Konto\n1,DE893704004\n2,GB82WEST123\n')).rejects.toThrow(/--column/)
})

test('a row of totals below does not turn the rows into lines of text', async () => {
  const { delimiter, values } = await read(`id;iban;sum\n1;${PL};1,5\n2;${DE};2,5\nRazem\n`)
  expect([delimiter, values]).toEqual([';', [PL, DE, null]])
})

test('a table as psql prints it has values in its rows only', async () => {
  const { values } = await read(` id | iban\n----+------\n 1 | ${PL}\n 2 | ${DE}\n(2 rows)\n`)
  expect(values).toEqual([null, ` ${PL}`, ` ${DE}`, null])
})

test('a stray delimiter: what may stand under another heading is not read', async () => {
  const { rows } = await read(`name,iban\nNowak, Jan,${PL}\nFirma,${DE}\nX,${PL}\n`)
  expect(rows.map(({ leftOut, value }) => [leftOut, value])).toEqual([
    ['too_many_cells', null],
    [undefined, DE],
    [undefined, PL],
  ])
  // Before it nothing can stand.
  expect((await read(`iban,name\n${PL},Nowak, Jan\n${DE},Firma\n`)).values).toEqual([PL, DE])
})

test('a note beside the list of a workbook moves no cell, so its row is read', async () => {
  const rows = [
    ['name', 'iban'],
    ['A', PL, null, 'a note'],
    ['B', DE],
  ]
  expect((await read(xlsx({ Data: rows }))).values).toEqual([PL, DE])
})

test('an open quote does not turn the rows into lines of text', async () => {
  await expect(read(`name,iban\nA,${PL}\n"B,${DE}\n`)).rejects.toThrow(/not a CSV from line/)
})

test('text that is said to be text has no heading', async () => {
  expect((await read(`brak\n${PL}\n`, { format: 'text' })).values).toEqual(['brak', PL])
})

test('words, dashes and the nulls of databases are left out', async () => {
  const { rows } = await read(`iban\n${PL}\nbrak\n—\n\\N\n${DE}\n`)
  const left = [undefined, 'not_a_value', 'not_a_value', 'not_a_value', undefined]
  expect(rows.map(({ leftOut }) => leftOut)).toEqual(left)
  expect((await read('"brak"\n"none"\n')).values).toEqual([null, null])
  await expect(read('brak\n')).rejects.toThrow(/few cells look like values/)
})

test('a broken address in the first line is no heading', async () => {
  expect((await read('jan.example.pl\na@b.pl\n', { check: checkOf('email') })).values).toEqual([
    'jan.example.pl',
    'a@b.pl',
  ])
  for (const heading of ['E-mail', 'Adr. e-mail', 'E-mail (firm.)'])
    expect((await read(`${heading}\na@b.pl\n`, { check: checkOf('email') })).values).toEqual(['a@b.pl'])
})

test('a label does not make the first value a heading', async () => {
  const text = 'Firma A;NIP 526-025-02-74\nFirma B;NIP 522-312-21-19\n'
  await expect(read(text, { check: checkOf('pl-nip') })).rejects.toThrow(/--column/)
  expect((await read(text, { check: checkOf('pl-nip'), column: '2' })).values).toHaveLength(2)
})

describe('refused with what to do, since each line would be sold:', () => {
  test.each([
    ['a JSON array', `["${PL}","${DE}"]`, /JSON Lines/],
    ['a JSON array over several lines', `[\n  "${PL}",\n  "${DE}"\n]\n`, /JSON Lines/],
    ['an array of objects', `[{"iban":"${PL}"}]`, /JSON Lines/],
    ['a list as Python prints it', `['${PL}',\n '${DE}']\n`, /JSON Lines/],
    ['objects over several lines', `{\n  "iban": "${PL}"\n}\n`, /JSON Lines/],
    ['a page that calls itself a workbook', `<html><table><tr><td>${PL}</td></tr></table>`, /CSV UTF-8/],
    ['XML', `<?xml version="1.0"?>\n<iban>${PL}</iban>\n`, /CSV UTF-8/],
    ['names of rows without a heading (R)', `id\tiban\n1\tA\t${PL}\n2\tB\t${DE}\n`, /above the headings/],
  ])('%s', async (_what, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })
})

describe('neither JSON nor HTML, but a list, is', () => {
  test.each([
    ['a name in brackets, as SQL Server writes them', `[id];[iban]\n1;${PL}\n2;${DE}\n`, '2', [PL, DE]],
    ['a value in brackets', `[${PL}]\n${DE}\n`, undefined, [`[${PL}]`, DE]],
    ['a value in braces', `{${PL}}\n${DE}\n`, undefined, [`{${PL}}`, DE]],
    ['a value in angle brackets', `<table@b1.pl>\n${DE}\n`, undefined, ['<table@b1.pl>', DE]],
  ])('%s', async (_what, text, column, values) => {
    expect((await read(text, column === undefined ? {} : { column })).values).toEqual(values)
  })
})

describe('JSON Lines', () => {
  test('below an empty line', async () => {
    expect((await read(`\n{"iban":"${PL}"}\n`)).values).toEqual([null, PL])
  })

  test('whose first object lacks the member', async () => {
    const { header, values } = await read(`{"id":1}\n{"id":2,"iban":"${PL}"}\n`, { column: 'iban' })
    expect([header, values]).toEqual([
      ['id', 'iban'],
      [null, PL],
    ])
  })
})
