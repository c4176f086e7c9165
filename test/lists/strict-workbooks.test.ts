/** Workbooks that two programs read differently are refused, with a sentence that names the fault, before anything is paid. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ListFault } from '../../src/lists/list-fault.ts'
import { cellsOf, ods, type Parts, SHEETS, xlsx, zip } from '../support/workbooks.ts'

const WORKBOOK = '<workbook><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>'
const RELATION = '<Relationship Id="a" Target="s.xml"/>'
const relations = (inner: string) => `<Relationships>${inner}</Relationships>`
const sheet = (value: string) =>
  `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>IBAN</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>${value}</t></is></c></row></sheetData></worksheet>`
const ROOT_TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
const root = (target: string) =>
  `<Relationship Id="r${target.length}" Type="${ROOT_TYPE}" Target="${target}"/>`

const xlsxOf = (parts: Parts = {}) =>
  zip({
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': relations(RELATION),
    'xl/s.xml': sheet('DE1'),
    ...parts,
  })
const content = (value: string) =>
  `<office:document-content><table:table table:name="a"><table:table-row><table:table-cell><text:p>IBAN</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>${value}</text:p></table:table-cell></table:table-row></table:table></office:document-content>`
const odsOf = (value: string | Buffer) =>
  zip({ 'content.xml': typeof value === 'string' ? content(value) : value })

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const DECLARED = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`

/** The same name twice: zip() takes an object, so one of two names of one length is renamed in the bytes. */
const renamed = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

describe('is read', () => {
  test.each([
    ['as it is', xlsxOf()],
    ['with one root relation', xlsxOf({ '_rels/.rels': relations(root('xl/workbook.xml')) })],
    ['with an absolute one', xlsxOf({ '_rels/.rels': relations(root('/xl/workbook.xml')) })],
    [
      'with other root relations',
      xlsxOf({
        '_rels/.rels': relations(
          `${root('xl/workbook.xml')}<Relationship Id="p" Type="x/core-properties" Target="docProps/core.xml"/>`,
        ),
      }),
    ],
    ['in UTF-8 by its declaration', xlsxOf({ 'xl/s.xml': DECLARED('utf-8') + sheet('DE1') })],
    ['in UTF-16', xlsxOf({ 'xl/s.xml': utf16(DECLARED('UTF-16') + sheet('DE1')) })],
    ['in UTF-16 without a declaration', odsOf(utf16(content('DE1')))],
    ['with references to characters', xlsxOf({ 'xl/s.xml': sheet('D&#69;1') })],
    ['with a broken part that is not read', xlsxOf({ 'docProps/core.xml': '\u0000' })],
  ])('a workbook %s', async (_what, bytes) => {
    expect(await cellsOf(bytes)).toEqual([['DE1']])
  })
})

describe('is refused', () => {
  test.each([
    [
      'two parts of one name',
      renamed(xlsxOf({ 'xl/t.xml': sheet('DE2') }), 'xl/t.xml', 'xl/s.xml'),
      /two parts of one name/,
    ],
    ['names that differ in case', xlsxOf({ 'xl/S.xml': sheet('DE2') }), /two parts of one name/],
    [
      'names that differ in case, of a part that is not read',
      xlsxOf({ 'a/B': '', 'A/b': '' }),
      /two parts of one name/,
    ],
    ['a control character in a name', xlsxOf({ 'xl/s.xml\u0000': sheet('DE2') }), /control character/],
    [
      'two relations of one id',
      xlsxOf({
        'xl/_rels/workbook.xml.rels': relations(`${RELATION}<Relationship Id="a" Target="t.xml"/>`),
        'xl/t.xml': sheet('DE2'),
      }),
      /two relations of one id/,
    ],
    [
      'two root relations',
      xlsxOf({ '_rels/.rels': relations(root('xl/workbook.xml') + root('xl/other.xml')) }),
      /one relation to xl/,
    ],
    [
      'a root relation to another part',
      xlsxOf({ '_rels/.rels': relations(root('xl/other.xml')) }),
      /one relation to xl/,
    ],
    ['no root relation', xlsxOf({ '_rels/.rels': relations('') }), /one relation to xl/],
    ...['\u0000', '\u0001', '\u000b', '\u001f', '\ufffe', '\uffff'].flatMap(
      (sign): [string, Buffer, RegExp][] => [
        [
          `the character ${sign.charCodeAt(0)} in .xlsx`,
          xlsxOf({ 'xl/s.xml': sheet(`D${sign}E1`) }),
          /character that XML/,
        ],
        [`the character ${sign.charCodeAt(0)} in .ods`, odsOf(`D${sign}E1`), /character that XML/],
      ],
    ),
    ...['&#0;', '&#x1F;', '&#xd800;', '&#xFFFE;', '&#x110000;', '&#9999999;'].map(
      (sign): [string, Buffer, RegExp] => [
        `the reference ${sign}`,
        xlsxOf({ 'xl/s.xml': sheet(sign) }),
        /character that XML/,
      ],
    ),
    ...['UTF-7', 'windows-1252', 'ISO-8859-1', 'utf-16', 'UTF-32'].map((name): [string, Buffer, RegExp] => [
      `bytes of UTF-8 that are declared ${name}`,
      xlsxOf({ 'xl/s.xml': DECLARED(name) + sheet('DE1') }),
      /neither in UTF-8 nor/,
    ]),
    [
      'UTF-16 that is declared UTF-8',
      odsOf(utf16(DECLARED('UTF-8') + content('DE1'))),
      /neither in UTF-8 nor/,
    ],
  ])('a workbook with %s', async (_what, bytes, words) => {
    const outcome = await cellsOf(bytes).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(ListFault)
    expect((outcome as ListFault).message).toMatch(words)
  })
})

/** Without compression a changed byte of a cell is still XML. */
const stored = (bytes: Buffer): Buffer => {
  const [text = '', changed = ''] = ['DE1', 'DE7']
  return Buffer.from(bytes.toString('latin1').replace(text, changed), 'latin1')
}

test.each([
  ['xlsx', xlsx(SHEETS)],
  ['ods', ods(SHEETS)],
])('%s: a byte that was changed on the way changes no cell that is read', async (_kind, workbook) => {
  const whole = await cellsOf(workbook)
  await fc.assert(
    fc.asyncProperty(fc.nat(workbook.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Uint8Array.from(workbook)
      bytes[at] = (bytes[at] ?? 0) ^ change
      const outcome = await cellsOf(bytes).catch((error: unknown) => error)
      if (outcome instanceof ListFault) return
      expect(outcome).toEqual(whole)
    }),
    { numRuns: 800 },
  )
})

test('a part without compression has its checksum compared too', async () => {
  const bytes = zip({ 'content.xml': content('DE1') }, { isStored: true })
  expect(await cellsOf(bytes)).toEqual([['DE1']])
  await expect(cellsOf(stored(bytes))).rejects.toThrow(/its checksum is wrong/)
  const long = zip({ 'content.xml': content('DE1') + ' '.repeat(200_000) }, { isStored: true })
  expect(await cellsOf(long)).toEqual([['DE1']])
})
