import { expect, test } from 'vitest'
import { Budget } from '../../src/lists/budget.ts'
import { rangesOf } from '../../src/lists/workbook/result-place.ts'
import { newSheet } from '../../src/lists/workbook/results-sheet.ts'
import { readZip, textOf } from '../../src/lists/workbook/unzip.ts'
import { addToWorkbook } from '../../src/lists/workbook/write-workbook.ts'
import { xlsx, zip } from '../support/workbooks.ts'

/** The rules of Excel, read in the XML itself: LibreOffice and openpyxl open what Excel repairs. */

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET = 'xl/worksheets/sheet1.xml'
const ROWS = [
  ['Name', 'IBAN', 'Netto'],
  ['A', 'DE1', '1'],
  ['B', 'DE2', '2'],
]
const LIST = { isNamed: true, headerLine: 1, checked: [1], headings: ['valid', 'code'] }
const CELLS = new Map([
  [1, ['valid', 'code']],
  [2, ['true', 'ok']],
  [3, ['false', 'checksum']],
])

type Texts = Record<string, string>

async function contents(archive: Uint8Array<ArrayBuffer>): Promise<Texts> {
  const parts: Texts = {}
  for (const part of readZip(archive, new Budget())) {
    expect(parts[part.name]).toBeUndefined()
    parts[part.name] = ''
    for await (const text of textOf(part)) parts[part.name] += text
  }
  return parts
}

const column = (id: number, name: string, inner = '') =>
  `<tableColumn id="${id}" name="${name}">${inner}</tableColumn>`
const COLUMNS = column(1, 'Name') + column(4, 'IBAN') + column(3, 'Netto')

const table = ({ attributes = '', columns = COLUMNS, ref = 'A1:C3' } = {}) =>
  `<table id="1" name="List" displayName="List" ref="${ref}" ${attributes}><autoFilter ref="${ref}"><filterColumn colId="0"/></autoFilter><sortState ref="A2:C3"><sortCondition ref="A1:A3"/></sortState><tableColumns count="3">${columns}</tableColumns></table>`

async function workbook(
  more: { sheet?: string; names?: string; tables?: readonly string[]; parts?: Texts },
  rows: readonly (readonly (string | null)[])[] = ROWS,
) {
  const { sheet = '', names = '', tables = [], parts = {} } = more
  const before = await contents(new Uint8Array(xlsx({ Data: rows, Other: [['x']] })))
  const links = tables.map((_, at) => `<tablePart r:id="rId${at + 7}"/>`)
  return new Uint8Array(
    zip({
      ...before,
      [SHEET]: (before[SHEET] ?? '').replace(
        '</sheetData>',
        `</sheetData>${sheet}<tableParts>${links.join('')}</tableParts>`,
      ),
      'xl/workbook.xml': (before['xl/workbook.xml'] ?? '').replace(
        '</sheets>',
        `</sheets><definedNames>${names}</definedNames>`,
      ),
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${tables
        .map(
          (_, at) =>
            `<Relationship Id="rId${at + 7}" Type="${RELATIONS}/table" Target="../tables/table${at + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
      ...Object.fromEntries(tables.map((text, at) => [`xl/tables/table${at + 1}.xml`, text])),
      ...parts,
    }),
  )
}

async function written(bytes: Uint8Array<ArrayBuffer>, list: Parameters<typeof addToWorkbook>[2] = LIST) {
  const { apart, write } = await addToWorkbook(bytes, 'Data', list)
  const values = [...CELLS].map(([line, cells]) => [line === 1 ? 0 : line, ['IBAN', ...cells]] as const)
  return { apart, parts: await contents(await write(apart === null ? CELLS : new Map(values))) }
}

test('a verdict is a boolean cell, and only under the heading of verdicts', async () => {
  const { parts } = await written(await workbook({}))
  expect(parts[SHEET]).toContain('<c r="D2" t="b"><v>1</v></c>')
  expect(parts[SHEET]).toContain('<c r="D3" t="b"><v>0</v></c>')
  expect(parts[SHEET]).toMatch(/<c r="D1" t="inlineStr"><is><t[^>]*>valid</)
})

const name = (title: string, text: string, at = 0) =>
  `<definedName name="${title}" localSheetId="${at}" hidden="1">${text}</definedName>`

test('filter, its name, print area and dimension reach over the results, also over a gap; the other sheets stay', async () => {
  const names = [
    name('_xlnm._FilterDatabase', 'Data!$A$1:$B$3'),
    name('_xlnm.Print_Area', "'Da,ta'!$A$1:$C$3,Data!$H$1:$I$9"),
    name('_xlnm.Print_Titles', 'Data!$1:$1'),
    name('_xlnm.Print_Area', 'Other!$A$1:$C$3', 1),
    name('Betrag', 'Data!$A$1:$C$3'),
  ]
  const filter =
    '<autoFilter ref="A1:B3"><sortState ref="A2:B3"><sortCondition ref="B2:B3"/></sortState></autoFilter>'
  const { parts } = await written(await workbook({ sheet: filter, names: names.join('') }))
  expect(parts[SHEET]).toContain(filter.replace('A1:B3', 'A1:E3').replace('A2:B3', 'A2:E3'))
  expect(parts[SHEET]).toContain('<dimension ref="A1:E9"/>')
  const grown = [
    name('_xlnm._FilterDatabase', 'Data!$A$1:$E$3'),
    name('_xlnm.Print_Area', "'Da,ta'!$A$1:$E$3,Data!$H$1:$I$9"),
  ]
  expect(parts['xl/workbook.xml']).toContain([...grown, ...names.slice(2)].join(''))
})

test('a print area of whole columns grows; a name without a range stays', async () => {
  const names = name('_xlnm.Print_Area', 'Data!$A:$C') + name('_xlnm._FilterDatabase', 'Data!#REF!')
  const { parts } = await written(await workbook({ names }))
  expect(parts['xl/workbook.xml']).toContain(names.replace('$A:$C', '$A:$E'))
})

test('a table grows by columns with new ids, whose names are the text cells of its heading row', async () => {
  const { apart, parts } = await written(await workbook({ tables: [table()] }))
  expect(apart).toBeNull()
  const grown = parts['xl/tables/table1.xml'] ?? ''
  expect(grown).toContain('displayName="List" ref="A1:E3"')
  expect(grown).toContain(
    '<autoFilter ref="A1:E3"><filterColumn colId="0"/></autoFilter><sortState ref="A2:E3"><sortCondition ref="A1:A3"/>',
  )
  expect(grown).toContain(
    `<tableColumns count="5">${COLUMNS}<tableColumn id="5" name="valid"/><tableColumn id="6" name="code"/></tableColumns>`,
  )
  expect(parts[SHEET]).toMatch(
    /r="D1" t="inlineStr"><is><t[^>]*>valid<.*r="E1" t="inlineStr"><is><t[^>]*>code</,
  )
})

test.each([
  ['a formula of one column', 'List[[#This Row],[Netto]]*2+SUM(List[Netto])'],
  ['a formula without the table', 'A2&amp;"List"'],
])('a table with %s grows', async (_what, formula) => {
  const columns = COLUMNS.replace(
    '</tableColumn>',
    `<calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`,
  )
  expect((await written(await workbook({ tables: [table({ columns })] }))).apart).toBeNull()
})

const calculated = (formula: string) => ({
  tables: [
    table({
      columns: COLUMNS.replace(
        '</tableColumn>',
        `<calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`,
      ),
    }),
  ],
})

const APART: readonly { what: string; more: Parameters<typeof workbook>[0]; rows?: (string | null)[][] }[] = [
  { what: 'a query', more: { tables: [table({ attributes: 'tableType="queryTable"' })] } },
  {
    what: 'relations of its own',
    more: {
      tables: [table()],
      parts: { 'xl/tables/_rels/table1.xml.rels': '<Relationships></Relationships>' },
    },
  },
  {
    what: 'an XML map',
    more: { tables: [table({ columns: column(1, 'Name', '<xmlColumnPr mapId="1"/>') })] },
  },
  { what: 'a row of totals', more: { tables: [table({ attributes: 'totalsRowCount="1"' })] } },
  { what: 'no row of headings', more: { tables: [table({ attributes: 'headerRowCount="0"' })] } },
  { what: 'a formula of its whole width', more: calculated('COUNTA(List[#Data])') },
  { what: 'a formula of its whole row', more: calculated('COUNTA(List[#This Row])') },
  { what: 'a formula that names it alone', more: calculated('ROWS(List)') },
  { what: 'a formula of its number of columns', more: calculated('COLUMNS(List[[Name]:[Netto]])') },
  {
    what: 'a note beside it',
    more: { tables: [table()] },
    rows: ROWS.map((row, at) => (at === 2 ? [...row, 'note'] : row)),
  },
  { what: 'another table beside it', more: { tables: [table(), table({ ref: 'G1:H3' })] } },
  { what: 'other rows than the list', more: { tables: [table({ ref: 'A2:C3' })] } },
  {
    what: 'a column of the same name in another case',
    more: { tables: [table({ columns: COLUMNS.replace('Netto', 'Valid') })] },
  },
  {
    what: 'no table and no filter, but a gap beside the list',
    more: {},
    rows: ROWS.map((row, at) => (at === 2 ? [...row, null, 'note'] : row)),
  },
  { what: 'no table, but a filter of other rows', more: { sheet: '<autoFilter ref="A2:C3"/>' } },
  { what: 'no table, but a filter behind the values', more: { sheet: '<autoFilter ref="C1:C3"/>' } },
]

test.each(APART)('beside a table with $what the results get a sheet of their own', async ({
  more,
  rows = ROWS,
}) => {
  const bytes = await workbook(more, rows)
  const before = await contents(bytes)
  const { apart, parts } = await written(bytes)
  expect(apart?.why).not.toBe('')
  expect(apart?.sheet).toBe('Results')
  const added = 'xl/worksheets/sheet3.xml'
  const changed = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels', '[Content_Types].xml']
  expect(Object.keys(parts)).toEqual([...Object.keys(before), added])
  for (const [part, text] of Object.entries(before))
    if (!changed.includes(part)) expect(parts[part]).toBe(text)
  expect(parts['xl/workbook.xml']).toContain(
    `<sheet xmlns:r="${RELATIONS}" name="Results" sheetId="3" r:id="rIdResults"/></sheets>`,
  )
  expect(parts['xl/_rels/workbook.xml.rels']).toContain(
    `<Relationship Id="rIdResults" Type="${RELATIONS}/worksheet" Target="worksheets/sheet3.xml"/></Relationships>`,
  )
  expect(parts['[Content_Types].xml']).toMatch(
    /<Override PartName="\/xl\/worksheets\/sheet3.xml" ContentType="[^"]*worksheet\+xml"\/><\/Types>$/,
  )
  const texts = [...(parts[added] ?? '').matchAll(/<c r="(\w+)"(?: t="(\w+)")?>(?:<is><t[^>]*>|<v>)([^<]*)/g)]
  expect(texts.map(([, place, type, text]) => `${place} ${type ?? 'n'} ${text}`)).toEqual([
    ...['A1 inlineStr row', 'B1 inlineStr IBAN', 'C1 inlineStr valid', 'D1 inlineStr code'],
    ...['A2 n 2', 'B2 inlineStr IBAN', 'C2 b 1', 'D2 inlineStr ok'],
    ...['A3 n 3', 'B3 inlineStr IBAN', 'C3 b 0', 'D3 inlineStr checksum'],
  ])
})

test('the new sheet declares its prefix where the others do so on their own elements', async () => {
  const bytes = await workbook({ sheet: '<autoFilter ref="C1:C3"/>' })
  const before = await contents(bytes)
  const own = (before['xl/workbook.xml'] ?? '')
    .replace(/ xmlns:r="[^"]*"/, '')
    .replaceAll('<sheet ', `<sheet xmlns:r="${RELATIONS}" `)
  expect(own.split('xmlns:r=')).toHaveLength(3)
  const { parts } = await written(new Uint8Array(zip({ ...before, 'xl/workbook.xml': own })))
  expect(parts['xl/workbook.xml']).toContain(
    `<sheet xmlns:r="${RELATIONS}" name="Results" sheetId="3" r:id="rIdResults"/></sheets>`,
  )
})

test('what is kept of sheets, relations and tables draws from the budget of the file', async () => {
  const keptOf = async (count: number) => {
    const names = Array.from({ length: count }, (_, at) => column(at + 9, `Column ${at}`)).join('')
    const bytes = await workbook({ tables: Array(count).fill(table({ columns: COLUMNS + names })) })
    const budget = new Budget()
    const parts = readZip(bytes, budget)
    const sheet = parts.find((part) => part.name === SHEET) ?? expect.fail()
    const before = budget.spent.kept
    await rangesOf(sheet, parts)
    const between = budget.spent.kept
    await newSheet(parts, sheet)
    return [between - before, budget.spent.kept - between] as const
  }
  const [few, many] = [await keptOf(1), await keptOf(40)]
  expect(many[0]).toBeGreaterThan(few[0] + 40 * 40 * 24)
  expect(few[1]).toBeGreaterThan(2 * 24)
})
