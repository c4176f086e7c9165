/**
 * Files that are small, or of a common size, and made to cost much: each is to be refused or read within 3 s and 250 MB.
 * `size` is in bytes, of what one unpacks to or of a text.
 */
import { Buffer } from 'node:buffer'
import { zip } from './workbooks.ts'

export interface HostileFile {
  readonly name: string
  readonly make: (size: number) => Uint8Array
  /** Words of the refusal; null if the file is read. */
  readonly refused: RegExp | null
}

type Content = string | Buffer

const fill = (piece: string, size: number): Buffer =>
  Buffer.alloc(Math.floor(size / Buffer.byteLength(piece)) * Buffer.byteLength(piece), piece)
const around = (before: string, piece: string, size: number, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), fill(piece, size), Buffer.from(after)])

const SHEET = '<sheet name="a" sheetId="1" r:id="a"/>'
const RELATION = '<Relationship Id="a" Target="s.xml"/>'

interface XlsxParts {
  readonly sheet?: Content
  readonly strings?: Content
  readonly styles?: Content
  readonly sheets?: Content
  readonly relations?: Content
}

const xlsxOf = ({ sheet = '', strings, styles, sheets = SHEET, relations = RELATION }: XlsxParts) => {
  const within = (name: string, content: Content) =>
    Buffer.concat([Buffer.from(`<${name}>`), Buffer.from(content), Buffer.from(`</${name}>`)])
  return zip({
    'xl/workbook.xml': within('workbook', sheets),
    'xl/_rels/workbook.xml.rels': within('Relationships', relations),
    'xl/s.xml': within('worksheet', sheet),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': within('sst', strings) }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': within('styleSheet', styles) }),
  })
}

const odsOf = (...content: Content[]) =>
  zip({
    'content.xml': Buffer.concat([
      Buffer.from('<document-content><table name="a">'),
      ...content.map((each) => Buffer.from(each)),
      Buffer.from('</table></document-content>'),
    ]),
  })

const HEAD = '<row><c t="str"><v>IBAN</v></c></row>'
const rowOf = (...cells: string[]) => `<row>${cells.join('')}</row>`
const shared = (at: number) => `<c t="s"><v>${at}</v></c>`
const text = (value: string) => `<c t="str"><v>${value}</v></c>`
const ODS_HEAD = '<table-row><table-cell><p>IBAN</p></table-cell></table-row>'
const odsRow = (cell: string, repeated = '') =>
  `<table-row${repeated}><table-cell>${cell}</table-cell></table-row>`
const si = (value: string) => `<si><t>${value}</t></si>`

const LONG_CELL = /more than 32,767 characters/
const LONG_ROW = /row of more than a million characters/
const UNPACKED = /unpacks to more/
const CELLS = /more cells/
const TEXT = /more text/
const DAMAGED = /damaged/

export const HOSTILE_FILES: readonly HostileFile[] = [
  {
    name: 'xlsx: a million references to one text of 140,000 characters',
    make: (size) =>
      xlsxOf({
        sheet: around(HEAD, rowOf(shared(0)), size, ''),
        strings: si('x'.repeat(140_000)),
      }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: as many to one of the longest text',
    make: (size) =>
      xlsxOf({ sheet: around(HEAD, rowOf(shared(0)), size, ''), strings: si('x'.repeat(32_767)) }),
    refused: TEXT,
  },
  {
    name: 'xlsx: one shared text, in one piece',
    make: (size) => xlsxOf({ sheet: HEAD, strings: around('<si><t>', 'x', size, '</t></si>') }),
    refused: DAMAGED,
  },
  {
    name: 'xlsx: one shared text, in pieces',
    make: (size) =>
      xlsxOf({ sheet: HEAD, strings: around('<si><t>', `x${'y'.repeat(50)}<!-- -->`, size, '</t></si>') }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: one shared text of formatted runs',
    make: (size) => xlsxOf({ sheet: HEAD, strings: around('<si>', '<r><t>xxxxxxxx</t></r>', size, '</si>') }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: one text within its cell',
    make: (size) =>
      xlsxOf({ sheet: around(`${HEAD}<row><c t="inlineStr"><is>`, '<t>xxxx</t>', size, '</is></c></row>') }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: one number of many digits',
    make: (size) => xlsxOf({ sheet: around(`${HEAD}<row><c>`, '<v>1234567</v>', size, '</c></row>') }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: one text of escaped signs',
    make: (size) => xlsxOf({ sheet: HEAD, strings: around('<si><t>', '&#65;<!---->', size, '</t></si>') }),
    refused: LONG_CELL,
  },
  {
    name: 'xlsx: empty shared texts',
    make: (size) => xlsxOf({ sheet: HEAD, strings: fill('<si/>', size) }),
    refused: CELLS,
  },
  {
    name: 'xlsx: short shared texts',
    make: (size) => xlsxOf({ sheet: HEAD, strings: fill(si('ab'), size) }),
    refused: /more cells|unpacks to more/,
  },
  {
    name: 'xlsx: readings of a text, which are not kept',
    make: (size) => xlsxOf({ sheet: HEAD, strings: around('<si>', '<rPh><t>x</t></rPh>', size, '</si>') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: empty tags',
    make: (size) => xlsxOf({ sheet: around(HEAD, '<a/>', size, '') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: comments',
    make: (size) => xlsxOf({ sheet: around(HEAD, '<!-- <<<<<<<< -->', size, '') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: one comment of open brackets',
    make: (size) => xlsxOf({ sheet: around(`${HEAD}<!--`, '<', size, '-->') }),
    refused: DAMAGED,
  },
  {
    name: 'xlsx: one tag of many attributes',
    make: (size) => xlsxOf({ sheet: around(`${HEAD}<row `, 'a="1" ', size, '/>') }),
    refused: DAMAGED,
  },
  {
    name: 'xlsx: tags of many attributes',
    make: (size) => xlsxOf({ sheet: around(HEAD, `<c ${'a="1" '.repeat(10_000)}/>`, size, '') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: spaces',
    make: (size) => xlsxOf({ sheet: around(HEAD, `<a${' '.repeat(200_000)}/>`, size, '') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: rows with a cell in the last column',
    make: (size) => xlsxOf({ sheet: around(HEAD, rowOf('<c r="XFD1"><v>1</v></c>'), size, '') }),
    refused: CELLS,
  },
  {
    name: 'xlsx: rows of one digit',
    make: (size) => xlsxOf({ sheet: around(HEAD, rowOf('<c><v>1</v></c>'), size, '') }),
    refused: /more cells|unpacks to more/,
  },
  {
    name: 'xlsx: a row of too many cells',
    make: (size) => xlsxOf({ sheet: around(`${HEAD}<row>`, '<c><v>1</v></c>', size, '</row>') }),
    refused: /beyond the last column/,
  },
  {
    name: 'xlsx: numbers in one cell that lost digits',
    make: (size) =>
      xlsxOf({ sheet: around(`${HEAD}<row>`, '<c r="A1"><v>1234567890123456789</v></c>', size, '</row>') }),
    refused: LONG_ROW,
  },
  {
    name: 'xlsx: sheets without end',
    make: (size) => xlsxOf({ sheets: fill(SHEET, size), sheet: HEAD }),
    refused: CELLS,
  },
  {
    name: 'xlsx: a hundred large sheets',
    make: (size) => xlsxOf({ sheets: SHEET.repeat(100), sheet: fill('<a>     </a>', size / 4) }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: relations without end',
    make: (size) => xlsxOf({ sheet: HEAD, relations: fill(RELATION, size) }),
    refused: /two relations of one id/,
  },
  {
    name: 'xlsx: relations of ids of their own',
    make: () =>
      xlsxOf({
        sheet: HEAD,
        relations: Array.from(
          { length: 1_300_000 },
          (_, at) => `<Relationship Id="${at.toString(36)}"/>`,
        ).join(''),
      }),
    refused: /more than 65,536 relations/,
  },
  {
    name: 'xlsx: formats without end',
    make: (size) =>
      xlsxOf({ sheet: HEAD, styles: around('<cellXfs>', '<xf numFmtId="1"/>', size, '</cellXfs>') }),
    refused: UNPACKED,
  },
  {
    name: 'xlsx: wide rows of headings and no values, on many sheets',
    make: () => {
      const row = rowOf(...Array.from({ length: 327 }, () => text('x iban')))
      return xlsxOf({ sheets: SHEET.repeat(100), sheet: row.repeat(50) })
    },
    refused: CELLS,
  },
  {
    name: 'xlsx: long cells in the first rows of many sheets',
    make: () =>
      xlsxOf({
        sheets: SHEET.repeat(100),
        sheet: rowOf(text('a '.repeat(16_000)), text('b')).repeat(50),
      }),
    refused: /more text|unpacks to more/,
  },
  {
    name: 'xlsx: a document type',
    make: () => xlsxOf({ sheet: '<!DOCTYPE x [<!ENTITY a "b">]>' }),
    refused: /document type/,
  },
  {
    name: 'xlsx: no end',
    make: (size) => {
      const whole = xlsxOf({ sheet: around(HEAD, rowOf(text('DE1')), size / 10, '') })
      return whole.subarray(0, whole.length / 2)
    },
    refused: DAMAGED,
  },
  {
    name: 'zip: parts without end',
    make: () => zip(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, '']))),
    refused: /too many parts/,
  },
  {
    name: 'zip: a head and zeros',
    make: (size) => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(size / 2)]),
    refused: DAMAGED,
  },
  {
    name: 'ods: a million repeated rows',
    make: () => odsOf(ODS_HEAD, odsRow('<p>1</p>', ' number-rows-repeated="1000000"')),
    refused: CELLS,
  },
  {
    name: 'ods: wide repeated rows',
    make: () =>
      odsOf(
        ODS_HEAD,
        '<table-row number-rows-repeated="4000"><table-cell number-columns-repeated="16000"><p>1</p></table-cell></table-row>',
      ),
    refused: CELLS,
  },
  {
    name: 'ods: repeated rows of a long text',
    make: () => odsOf(ODS_HEAD, odsRow(`<p>${'x'.repeat(32_000)}</p>`, ' number-rows-repeated="1000000"')),
    refused: TEXT,
  },
  {
    name: 'ods: rows of repeated cells',
    make: (size) =>
      odsOf(
        ODS_HEAD,
        fill(
          '<table-row><table-cell number-columns-repeated="16000"><p>1</p></table-cell></table-row>',
          size,
        ),
      ),
    refused: /more cells|unpacks to more/,
  },
  {
    name: 'ods: one cell of many paragraphs',
    make: (size) =>
      odsOf(ODS_HEAD, '<table-row><table-cell>', fill('<p>x</p>', size), '</table-cell></table-row>'),
    refused: LONG_CELL,
  },
  {
    name: 'ods: one cell of spaces',
    make: (size) =>
      odsOf(
        ODS_HEAD,
        '<table-row><table-cell><p>',
        fill('<s c="1000"/>', size),
        '</p></table-cell></table-row>',
      ),
    refused: LONG_CELL,
  },
  {
    name: 'ods: sheets without end',
    make: (size) => odsOf(ODS_HEAD, fill('<table name="b"/>', size)),
    refused: CELLS,
  },
  {
    name: 'ods: a note without end',
    make: (size) =>
      odsOf(
        ODS_HEAD,
        '<table-row><table-cell><annotation>',
        fill('<p>x</p>', size),
        '</annotation></table-cell></table-row>',
      ),
    refused: UNPACKED,
  },
  {
    name: 'csv: a quote that is never closed',
    make: (size) => around('name,iban\n"', 'x,"" ', size, ''),
    refused: /never closed|more than a million/,
  },
  {
    name: 'csv: a cell of doubled quotes',
    make: (size) => around('name,iban\nA,DE1\n"', '""', size, '",DE2\n'),
    refused: /never closed|more than 32,767|more than a million/,
  },
  {
    name: 'csv: a record of empty cells',
    make: (size) => around('name,iban\nA,DE1\n', ',', size, '\n'),
    refused: /16,384 cells|a million characters/,
  },
  {
    name: 'csv: records of too many cells',
    make: (size) => around('name,iban\nA,DE1\n', `${','.repeat(20_000)}\n`, size, ''),
    refused: /16,384 cells/,
  },
  {
    name: 'csv: headings and no values',
    make: (size) => fill(`${'"x iban",'.repeat(140)}\n`, size / 10),
    refused: /which column/,
  },
  {
    name: 'text: a line without end',
    make: (size) => around('iban\nDE89370400440532013000\n', 'DE1', size, ''),
    refused: /32,767|a million characters/,
  },
  {
    name: 'text: empty lines',
    make: (size) => around('iban\nDE89370400440532013000\n', '\r', size / 10, ''),
    refused: CELLS,
  },
  {
    name: 'csv: empty lines',
    make: (size) => around('iban,b\nDE89370400440532013000,1\n', '\r\n', size / 10, ''),
    refused: null,
  },
  {
    name: 'jsonl: a member of many levels',
    make: () =>
      Buffer.from(`{"iban":"DE1"}\n{"iban":"DE1","b":${'['.repeat(400_000)}${']'.repeat(400_000)}}\n`),
    refused: /128 levels/,
  },
  {
    name: 'jsonl: many members in the first objects, and short objects without end',
    make: (size) => {
      const first = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`m${at}`, 1]))
      return around(`${JSON.stringify({ iban: 'DE1', ...first })}\n`, '{"iban":"DE1"}\n', size / 10, '')
    },
    refused: CELLS,
  },
  {
    name: 'jsonl: one object without end',
    make: (size) => around('{"iban":"DE1"}\n{"iban":"DE1","b":[', '1,', size, '1]}\n'),
    refused: /a million characters/,
  },
  {
    name: 'text: bytes of no encoding',
    make: (size) => around('iban\n', '\u0001\u0002', size, ''),
    refused: /few cells|a million characters|32,767/,
  },
]
