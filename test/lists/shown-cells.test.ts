/** Cells of workbooks are read as the program shows them, not only as it keeps them. */
import { expect, test } from 'vitest'
import { HEADING_WORDS } from '../../src/catalog/column-headings.ts'
import { readList } from '../../src/lists/read-list.ts'
import { zip } from '../support/workbooks.ts'

const check = {
  id: 'pl-pesel',
  headings: ['pesel'],
  words: HEADING_WORDS,
  isText: false,
  shortest: 6,
} as const

const openList = (workbook: Uint8Array) =>
  readList(
    (async function* () {
      yield workbook
    })(),
    { check },
  )

async function valuesOf(workbook: Uint8Array): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const { value, leftOut } of (await openList(workbook)).rows) values.push(leftOut ?? value)
  return values
}

/** The cells behind the checked one, which a file of results repeats. */
async function cellsOf(workbook: Uint8Array): Promise<readonly unknown[]> {
  const rows: unknown[] = []
  for await (const { cells } of (await openList(workbook)).rows) rows.push(cells[1])
  return rows
}

const text = (words: string) => `<c t="str"><v>${words}</v></c>`
const xlsx = (formats: readonly string[], cells: readonly string[], shared = '', more = '') =>
  zip({
    'xl/workbook.xml': `<workbook>${more}<sheets><sheet name="a" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${at + 164}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${at + 164}" applyNumberFormat="1"><alignment/></xf>`).join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/s.xml': `<worksheet><sheetData><row>${text('pesel')}</row>${cells.map((cell) => `<row>${cell}</row>`).join('')}</sheetData></worksheet>`,
  })

test('.xlsx: zeros that a format of zeros puts in front', async () => {
  const formats = [
    '00000000000',
    '[$-415]00\\-00\\-00\\-00000;@',
    '0.00',
    '#,##0',
    '0',
    'yyyy\\-mm',
    '0'.repeat(100_000),
  ]
  const numbers = formats.map((_, at) => `<c s="${at + 1}"><v>1234567890</v></c>`)
  const others = [
    '<c><v>1234567890</v></c>',
    '<c s="1"><v>-5</v></c>',
    '<c s="1"><v>1.5</v></c>',
    '<c s="99"><v>7</v></c>',
  ]
  expect(await valuesOf(xlsx(formats, [...numbers, ...others]))).toEqual([
    ...['01234567890', '01234567890', '1234567890', '1234567890', '1234567890', '1234567890'],
    ...['1234567890', '1234567890', '-5', '1.5', '7'],
  ])
})

test('.xlsx: signs that are kept as their codes', async () => {
  const cells = [
    '<c t="s"><v>0</v></c>',
    text('44051401359_x000d_'),
    '<c t="inlineStr"><is><t>a_x005F_x0041_1</t></is></c>',
    text('1_x00_'),
  ]
  expect(await valuesOf(xlsx([], cells, '<si><t>44051401359_x000D_\n</t></si>'))).toEqual([
    '44051401359\r\n',
    '44051401359\r',
    'a_x0041_1',
    '1_x00_',
  ])
})

test('.ods: zeros that a format puts in front', async () => {
  const cell = (value: string, shown: string) =>
    `<table:table-row><table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell></table:table-row>`
  const rows = [
    cell('1234567890', '01234567890'),
    cell('1234567890', '01-23-45-67890'),
    cell('1234567890', '1.23E+09'),
    cell('1234567890', '01234567891'),
    cell('1234.5', '01235'),
  ]
  const head =
    '<table:table-row><table:table-cell><text:p>pesel</text:p></table:table-cell></table:table-row>'
  const workbook = zip({
    'content.xml': `<office:document-content><table:table table:name="a">${head}${rows.join('')}</table:table></office:document-content>`,
  })
  expect(await valuesOf(workbook)).toEqual([
    '01234567890',
    '01234567890',
    '1234567890',
    '1234567890',
    '1234.5',
  ])
})

/** What a number shows by its format, as Excel, LibreOffice and ECMA-376 have it. */
const SHOWN: readonly (readonly [format: string | number, number: string, shown: string])[] = [
  [14, '46327', '2026-11-01'],
  [15, '46327', '2026-11-01'],
  [17, '46327', '2026-11-01'],
  [18, '46327.75', '6:00 PM'],
  [19, '0.000011574', '12:00:01 AM'],
  [20, '46327.395833333', '9:30'],
  [21, '0.999988426', '23:59:59'],
  [22, '46327.395833333', '2026-11-01 09:30'],
  [45, '0.00078125', '01:08'],
  [46, '1.5', '36:00:00'],
  [47, '0.000787037', '01:08.0'],
  ['dd\\.mm\\.yyyy', '46327', '01.11.2026'],
  ['[$-415]dd\\.mm\\.yyyy;@', '46327', '01.11.2026'],
  ['d/m/yy', '46327', '1/11/26'],
  ['yyyy&quot;-&quot;mm&quot;-&quot;dd\\ hh:mm:ss', '46327.999999999', '2026-11-02 00:00:00'],
  ['d. mmmm yyyy', '46327', '2026-11-01'],
  ['dddd, d. mmm yyyy h:mm', '46327.5', '2026-11-01 12:00:00'],
  ['[mm]:ss', '0.5', '720:00'],
  ['yyyy-mm-dd', '1', '1900-01-01'],
  ['yyyy-mm-dd', '59', '1900-02-28'],
  ['yyyy-mm-dd', '60', '60'],
  ['yyyy-mm-dd', '61', '1900-03-01'],
  ['yyyy-mm-dd', '-1', '-1'],
  ['yyyy-mm-dd', '2958465', '9999-12-31'],
  ['yyyy-mm-dd', '2958466', '2958466'],
  [0, '0.30000000000000004', '0.3'],
  [1, '1234.5', '1235'],
  [2, '1234.5', '1234.50'],
  [2, '1.005', '1.01'],
  [3, '1234567.4', '1,234,567'],
  [4, '-1234.5', '-1,234.50'],
  [9, '0.19', '19%'],
  [10, '0.075', '7.50%'],
  [39, '-1234.5', '(1,234.50)'],
  ['#,##0.00\\ &quot;zł&quot;', '1234.5', '1,234.50 zł'],
  ['#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]', '-1234.5', '-1,234.50 €'],
  ['_-* #,##0.00_-;-* #,##0.00_-;_-* &quot;-&quot;??_-;_-@_-', '1234.5', '1,234.50'],
  ['0.0#', '1.5', '1.5'],
  ['0.##', '2', '2'],
  ['#', '0', ''],
  ['0,', '1234567', '1235'],
  ['000-000-00-00', '5260250274', '526-025-02-74'],
  ['00000', '501', '00501'],
  ['0000000000', '501', '0000000501'],
  ['General', '12.5', '12.5'],
  ['# ?/?', '1.5', '1.5'],
  ['0.00E+00', '12345', '12345'],
  ['[&gt;100]0.0;0', '12', '12'],
  ['@', '12', '12'],
  [49, '12', '12'],
  ['yyyy&quot;', '46327', '46327'],
]

test.each(SHOWN)('.xlsx: %s of %s beside the checked column shows %s', async (format, number, shown) => {
  const id = typeof format === 'number' ? format : 164
  const workbook = zip({
    ...Object.fromEntries(PARTS),
    'xl/styles.xml': `<styleSheet><numFmts>${typeof format === 'number' ? '' : `<numFmt numFmtId="164" formatCode="${format}"/>`}</numFmts><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`,
    'xl/s.xml': sheetOf(number),
  })
  expect(await cellsOf(workbook)).toEqual([shown])
})

const PARTS = [
  ['xl/workbook.xml', '<workbook><sheets><sheet name="a" sheetId="1" r:id="a"/></sheets></workbook>'],
  ['xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>'],
] as const
const sheetOf = (number: string) =>
  `<worksheet><sheetData><row>${text('pesel')}${text('date')}</row><row>${text('44051401359')}<c s="0"><v>${number}</v></c></row></sheetData></worksheet>`

test('.xlsx: days of a workbook that counts from 1904', async () => {
  const row = `${text('44051401359')}<c s="1"><v>44865</v></c>`
  const book = (more: string) => xlsx(['yyyy-mm-dd'], [row], '', more)
  expect(await cellsOf(book('<workbookPr date1904="1"/>'))).toEqual(['2026-11-01'])
  expect(await cellsOf(book('<workbookPr date1904="0"/>'))).toEqual(['2022-10-31'])
})

test('.xlsx: truth is a word, as in the sheet', async () => {
  const row = (value: string) => `${text('44051401359')}<c t="b"><v>${value}</v></c>`
  expect(await cellsOf(xlsx([], ['1', '0', 'true'].map(row)))).toEqual(['TRUE', 'FALSE', 'TRUE'])
})

test('.xlsx: a checked number keeps its digits, in the file of results too', async () => {
  const list = await openList(xlsx(['#,##0.00'], ['<c s="1"><v>44051401359</v></c>']))
  for await (const { value, cells } of list.rows)
    expect([value, ...cells]).toEqual(['44051401359', '44051401359'])
})

test('.ods: what the sheet shows beside the checked column', async () => {
  const cell = (type: string, value: string, shown: string) =>
    `<table:table-row><table:table-cell office:value-type="string"><text:p>44051401359</text:p></table:table-cell><table:table-cell office:value-type="${type}" office:${type === 'date' ? 'date-value' : 'value'}="${value}"><text:p>${shown}</text:p></table:table-cell></table:table-row>`
  const rows = [
    cell('date', '2026-11-01', '01.11.2026'),
    cell('float', '1234.5', '1.234,50'),
    cell('percentage', '0.19', '19%'),
    cell('float', '123456789012', '1.23E+11'),
    cell('float', '1234', '###'),
  ]
  const head =
    '<table:table-row><table:table-cell><text:p>pesel</text:p></table:table-cell><table:table-cell><text:p>date</text:p></table:table-cell></table:table-row>'
  const workbook = zip({
    'content.xml': `<office:document-content><table:table table:name="a">${head}${rows.join('')}</table:table></office:document-content>`,
  })
  expect(await cellsOf(workbook)).toEqual(['01.11.2026', '1.234,50', '19%', '123456789012', '1234'])
})
