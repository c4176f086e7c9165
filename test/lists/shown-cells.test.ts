/** Cells of workbooks are read as the program shows them, not only as it keeps them. */
import { expect, test } from 'vitest'
import { readList } from '../../src/lists/read-list.ts'
import { zip } from '../support/workbooks.ts'

const check = { id: 'pl-pesel', headings: ['pesel'], isText: false, shortest: 6 } as const

async function valuesOf(workbook: Uint8Array): Promise<readonly unknown[]> {
  const list = await readList(
    (async function* () {
      yield workbook
    })(),
    { check },
  )
  const values: unknown[] = []
  for await (const { value, leftOut } of list.rows) values.push(leftOut ?? value)
  return values
}

const text = (words: string) => `<c t="str"><v>${words}</v></c>`
const xlsx = (formats: readonly string[], cells: readonly string[], shared = '') =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1" r:id="a"/></sheets></workbook>',
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
