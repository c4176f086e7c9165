/** Changes after which programs differ in what they read in a file, or which no reader of ours would see. */
import { inflateRawSync } from 'node:zlib'
import { Budget } from '../../../../../src/lists/budget.ts'
import { readZip } from '../../../../../src/lists/workbook/unzip.ts'
import { zip } from '../../../../../test/support/workbooks.ts'

type Changes = Readonly<Record<string, (bytes: Buffer) => Uint8Array>>
type InText = (text: string) => string

const inText =
  (change: InText) =>
  (bytes: Buffer): Uint8Array =>
    Buffer.from(change(bytes.toString()))
/** Each line below the headings. */
const inRows =
  (change: InText): InText =>
  (text) => {
    const [head = '', ...rows] = text.split('\r\n')
    return [head, ...rows.map((row) => (row === '' ? row : change(row)))].join('\r\n')
  }
const textChanges = (changes: Readonly<Record<string, InText>>): Changes =>
  Object.fromEntries(Object.entries(changes).map(([what, change]) => [what, inText(change)]))

const FORGED = 'GB82WEST12345698765432'

export const CSV_CHANGES: Changes = {
  ...textChanges({
    'the heading iban twice, at the end': (text) =>
      inRows((row) => `${row};${FORGED}`)(text.replace('\r\n', ';iban\r\n')),
    'the heading iban twice, in front': (text) => inRows((row) => `${FORGED};${row}`)(`iban;${text}`),
    'the heading valid twice': (text) => inRows((row) => `${row};true`)(text.replace('\r\n', ';valid\r\n')),
    'headings that differ in case': (text) =>
      inRows((row) => `${row};true`)(text.replace('\r\n', ';VALID\r\n')),
    'a heading with a space behind it': (text) =>
      inRows((row) => `${row};true`)(text.replace('\r\n', ';valid \r\n')),
    'a heading with a letter that looks like another': (text) => text.replace(';valid;', ';vаlid;'),
    'results of the buyer under valid, the sold ones under valid_7': (text) =>
      inRows((row) => `${row};true`)(text.replace(';valid;', ';valid_7;').replace('\r\n', ';valid\r\n')),
    'a table for commas too': (text) => inRows((row) => `x,${FORGED},true;${row}`)(`no,iban,valid;${text}`),
    'a separator for a spreadsheet': (text) => `sep=,\r\n${text}`,
    'tabs within cells': (text) => inRows((row) => row.replace(';', '\t;'))(text),
    'verdicts turned': (text) =>
      text.replaceAll(';true;', ';@;').replaceAll(';false;', ';true;').replaceAll(';@;', ';false;'),
    'what a spreadsheet writes for true': (text) => text.replaceAll(';true;', ';WAHR;'),
    'a formula for a verdict': (text) => text.replaceAll(';false;', ';="true";'),
    'numbers as a spreadsheet saves them': (text) => inRows((row) => row.replace(/^\d/, '$&.0'))(text),
    'cells that are NA': (text) => inRows((row) => row.replaceAll(';;', ';NA;'))(text),
    'a quotation mark that opens': (text) => text.replace(';n;', ';"n;'),
    'a line break within quotation marks': (text) =>
      inRows((row) => row.replace(';n;', ';"n\r\n0;iban";'))(text),
    'a carriage return alone as a line': (text) => text.replace(';n;', `;n\r9;${FORGED};n;true;`),
    'a NUL in a cell': (text) => text.replace(';n;', ';n\0;'),
    'ends of lines of Unix': (text) => text.replaceAll('\r\n', '\n'),
    'a byte order mark': (text) => `\ufeff${text}`,
    'a mark in the middle': (text) => text.replace('\r\n', '\r\n\ufeff'),
    'a line that a reader takes for a comment': (text) => `# checked by the bank\r\n${text}`,
    'lines above the headings': (text) => `All were checked\r\n\r\n${text}`,
    'a row less': (text) => text.replace(/\r\n[^\r]*\r\n$/, '\r\n'),
    'a row twice': (text) => `${text}${text.split('\r\n').at(-2)}\r\n`,
    'a row of another value with a sold answer': (text) =>
      inRows((row) => row.replace(/^(\d);[^;]*/, `$1;${FORGED}`))(text),
    'rows sorted': (text) => {
      const [head = '', ...rows] = text.split('\r\n')
      return [head, ...rows.toReversed()].join('\r\n')
    },
    'rows of fewer cells': (text) => inRows((row) => row.replace(/;;;*$/, ''))(text),
    'rows of more cells than headings': (text) => inRows((row) => `${row};${FORGED};true`)(text),
    'a quoted heading': (text) => text.replace('iban', '"iban"'),
    'an end of file sign and a second table': (text) =>
      `${text}\u001a\r\nno;iban;valid\r\n1;${FORGED};true\r\n`,
  }),
  'in UTF-16': (bytes) => Buffer.from(`\ufeff${bytes}`, 'utf16le'),
  'bytes that are no UTF-8': (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0x41])]),
}

export const JSON_LINES_CHANGES: Changes = textChanges({
  'the verdict as a text': (text) => text.replaceAll('"valid":true', '"valid":"false"'),
  'the verdict twice, the forged one last': (text) => text.replaceAll('}\n', ',"valid":true}\n'),
  'the verdict twice, the forged one first': (text) => text.replaceAll('{"no"', '{"valid":true,"no"'),
  'a name with escapes': (text) => text.replaceAll('"no":', '"\\u0076alid":true,"no":'),
  'the value twice': (text) => text.replaceAll('"no":', `"iban":"${FORGED}","no":`),
  'the value in an object': (text) =>
    text.replaceAll('"no":', `"bank":{"iban":"${FORGED}","valid":true},"no":`),
  'a name in capitals': (text) => text.replaceAll('"no":', '"Valid":true,"no":'),
  'a number beyond what doubles hold': (text) => text.replaceAll('"no":', '"no":90071992547409930'),
  'a member __proto__': (text) => text.replaceAll('"no":', '"__proto__":{"valid":true},"no":'),
  'a comment': (text) => text.replace('{', '/* checked */{'),
  'two objects in a line': (text) => text.replace('}\n', `}{"iban":"${FORGED}","valid":true}\n`),
  'an array around it': (text) => `[${text.trim().replaceAll('\n', ',\n')}]\n`,
  'a byte order mark': (text) => `\ufeff${text}`,
  'half a character': (text) => text.replaceAll('"no":', '"x":"\\ud800","no":'),
  'a line separator within a text': (text) =>
    text.replaceAll('"no":', `"x":"\u2028{\\"iban\\":\\"${FORGED}\\"}","no":`),
  NaN: (text) => text.replaceAll('"no":', '"x":NaN,"no":'),
  'single quotation marks': (text) => text.replaceAll('"', "'"),
  'a blank line': (text) => text.replace('\n', '\n\n'),
})

/** Changes a part of a workbook, or adds one. */
const inParts =
  (change: (parts: Map<string, string>) => void) =>
  (bytes: Buffer): Uint8Array => {
    const parts = new Map(
      readZip(Uint8Array.from(bytes), new Budget()).map(({ name, packed, isDeflated }) => [
        name,
        (isDeflated ? inflateRawSync(packed) : Buffer.from(packed)).toString(),
      ]),
    )
    change(parts)
    return zip(Object.fromEntries(parts))
  }
const part = (name: string, change: InText) =>
  inParts((parts) => {
    const text = parts.get(name)
    if (text === undefined) throw new Error(`the workbook has no ${name}`)
    parts.set(name, change(text))
  })
const SHEET = 'xl/worksheets/sheet1.xml'
const BOOK = 'xl/workbook.xml'
const other = (text: string) => text.replaceAll('false', 'true')

export const WORKBOOK_CHANGES: Changes = {
  'a root relation to another workbook part': inParts((parts) => {
    parts.set('xl/other.xml', other(parts.get(BOOK) ?? ''))
    parts.set('_rels/.rels', (parts.get('_rels/.rels') ?? '').replace('xl/workbook.xml', 'xl/other.xml'))
  }),
  'a relation id twice': part('xl/_rels/workbook.xml.rels', (text) =>
    text
      .replace('</Relationships>', text.match(/<Relationship [^>]*>/)?.[0].replace('sheet1', 'sheet9') ?? '')
      .concat('</Relationships>'),
  ),
  'a formula with a stored result': part(SHEET, (text) =>
    text.replace(/(<c [^>]*>)(<v>|<is>)/, '$1<f>1=1</f>$2'),
  ),
  'the sold sheet hidden': part(BOOK, (text) => text.replace('<sheet ', '<sheet state="hidden" ')),
  'a sheet very hidden': part(BOOK, (text) => text.replace('<sheet ', '<sheet state="veryHidden" ')),
  'hidden rows': part(SHEET, (text) => text.replaceAll('<row ', '<row hidden="1" ')),
  'a hidden column': part(SHEET, (text) =>
    text.replace('<sheetData>', '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>'),
  ),
  'a forged table above': part(SHEET, (text) =>
    text.replace(
      '<sheetData>',
      '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>iban</t></is></c></row>',
    ),
  ),
  'rows out of order': part(SHEET, (text) => text.replace(/<row r="2"/, '<row r="9"')),
  'two cells of one place': part(SHEET, (text) => text.replace(/<c r="B2"/, '<c r="A2"')),
  'a cell without a place': part(SHEET, (text) => text.replace(/<c r="B3"/, '<c')),
  'a merged range': part(SHEET, (text) =>
    text.replace('</sheetData>', '</sheetData><mergeCells><mergeCell ref="B2:B3"/></mergeCells>'),
  ),
  'a number format that shows another text': part('xl/styles.xml', (text) =>
    text.replace('</styleSheet>', '<!-- "GB" --></styleSheet>'),
  ),
  'white letters': part('xl/styles.xml', (text) =>
    text.replace('</styleSheet>', '<!-- FFFFFF --></styleSheet>'),
  ),
  'a comment in the sheet': part(SHEET, (text) =>
    text.replace('<sheetData>', '<!-- <sheetData/> --><sheetData>'),
  ),
  CDATA: part(SHEET, (text) => text.replace('</sheetData>', '<![CDATA[x]]></sheetData>')),
  'an entity of its own': part(SHEET, (text) => text.replace('?>', '?><!DOCTYPE x [<!ENTITY v "true">]>')),
  'an encoding that is not that of the bytes': part(SHEET, (text) => text.replace('UTF-8', 'UTF-7')),
  'a second sheet part': inParts((parts) =>
    parts.set('xl/worksheets/sheet2.xml', other(parts.get(SHEET) ?? '')),
  ),
  'a part whose name differs in case': inParts((parts) =>
    parts.set(SHEET.toUpperCase(), other(parts.get(SHEET) ?? '')),
  ),
  'a part by a path with dots': inParts((parts) =>
    parts.set(`xl/../${SHEET}`, other(parts.get(SHEET) ?? '')),
  ),
  'a document of another program in it': inParts((parts) =>
    parts.set('content.xml', '<office:document-content/>'),
  ),
  'something in front of the archive': (bytes) => Buffer.concat([Buffer.from('no;iban;valid\r\n'), bytes]),
  'something behind the archive': (bytes) => Buffer.concat([bytes, Buffer.from('PK\u0005\u0006')]),
  'a changed byte': (bytes) => {
    const changed = Buffer.from(bytes)
    changed[100] = (changed[100] ?? 0) ^ 1
    return changed
  },
  'saved as CSV': () => Buffer.from(`no,iban,valid\r\n0,${FORGED},true\r\n`),
}
