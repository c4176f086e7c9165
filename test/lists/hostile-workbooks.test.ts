/** Workbooks that are damaged, or made to harm: read in part or refused in words, never an unexpected error. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListFault } from '../../src/lists/list-fault.ts'
import { cellsOf, ods, SHEETS, xlsx, zip } from '../support/workbooks.ts'

const read = async (bytes: Uint8Array): Promise<number> => (await cellsOf(bytes)).length

test.each([
  ['xlsx', xlsx(SHEETS)],
  ['ods', ods(SHEETS)],
])('%s with any bytes changed or cut off', async (_kind, workbook) => {
  expect(await read(workbook)).toBe(3)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(workbook.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
      fc.integer({ min: 5, max: workbook.length }),
      async (changes, length) => {
        const bytes = Uint8Array.from(workbook)
        for (const [at, byte] of changes) bytes[at] = byte
        const outcome = await read(bytes.subarray(0, length)).catch((error: unknown) => error)
        if (typeof outcome !== 'number') expect(outcome).toBeInstanceOf(ListFault)
      },
    ),
    { numRuns: 300 },
  )
})

const odsWith = (table: string) =>
  zip({
    'content.xml': `<office:document-content><table:table table:name="a">${table}</table:table></office:document-content>`,
  })
const ROW = '<table:table-row><table:table-cell><text:p>IBAN</text:p></table:table-cell></table:table-row>'

const xlsxWith = (sheets: string, rows: string) =>
  zip({
    'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>',
    'xl/s.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
const SHEET = '<sheet name="a" sheetId="1" r:id="a"/>'
const cell = (place: string) => `<c r="${place}" t="str"><v>IBAN</v></c>`

test.each([
  [
    'two rows of one number: their results could not be told apart',
    xlsxWith(SHEET, `<row r="1">${cell('A1')}</row><row r="1">${cell('A1')}</row>`),
    /rows out of order/,
  ],
  [
    'more cells than are read',
    xlsxWith(
      SHEET,
      Array.from({ length: 4_000 }, (_, at) => `<row r="${at + 1}">${cell('XFD1')}</row>`).join(''),
    ),
    /more cells than/,
  ],
  [
    'rows that are repeated, with as many cells',
    odsWith(
      ROW.replace('row>', 'row table:number-rows-repeated="4000">').replace(
        '</table:table-row>',
        '<table:table-cell table:number-columns-repeated="16000"><text:p>1</text:p></table:table-cell></table:table-row>',
      ),
    ),
    /more cells than/,
  ],
  [
    'one part as many sheets',
    xlsxWith(SHEET.repeat(100), `<a>${' '.repeat(30_000)}</a>`.repeat(500)),
    /unpacks to more/,
  ],
  [
    'sheets of a few wide rows, whose samples together have as many cells',
    xlsxWith(
      SHEET.repeat(45),
      Array.from({ length: 50 }, (_, at) => `<row r="${at + 1}">${cell('XFD1')}</row>`).join(''),
    ),
    /more cells than/,
  ],
  [
    'more rows than a sheet has',
    odsWith(`${ROW}${ROW.replace('row>', 'row table:number-rows-repeated="1048577">')}${ROW}`),
    /more rows/,
  ],
  ['no sheet', zip({ 'a.txt': 'x' }), /archive, and no workbook/],
  ['an entity', odsWith('<!DOCTYPE x [<!ENTITY a "b">]>'), /document type/],
  [
    'too many parts',
    zip(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, '']))),
    /too many parts/,
  ],
])('%s', async (_what, bytes, words) => {
  await expect(read(bytes)).rejects.toThrow(words)
})

test('a cell behind the last column of a sheet is left out, and takes no room', async () => {
  const filled = '<table:table-cell><text:p>IBAN</text:p></table:table-cell>'
  const wide = ROW.replace(
    '</table:table-row>',
    `<table:table-cell table:number-columns-repeated="16383"/>${filled}</table:table-row>`,
  )
  expect(await cellsOf(odsWith(ROW + wide))).toEqual([['IBAN']])
})
