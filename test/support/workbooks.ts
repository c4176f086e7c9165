/** Small workbooks and old encodings, written by hand as the programs write them. */
import { crc32, deflateRawSync } from 'node:zlib'
import { HEADING_WORDS } from '../../src/catalog/column-headings.ts'
import { readList } from '../../src/lists/read-list.ts'

export type Parts = Readonly<Record<string, string | Buffer>>

/** A zip of parts (APPNOTE 6.3.10): local headers, then the central directory. */
export function zip(parts: Parts, { isStored = false } = {}): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const raw = typeof content === 'string' ? Buffer.from(content) : content
    const packed = isStored ? raw : deflateRawSync(raw)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(isStored ? 0 : 8, 4)
    common.writeUInt32LE(crc32(raw), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(raw.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), version, common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A cell: a string is kept as text, a number as a number, null is no cell. */
export type Cell = string | number | null

const columnName = (at: number): string =>
  (at >= 26 ? columnName(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

/** An Excel workbook (ECMA-376) with shared strings, as Excel writes one. */
export function xlsx(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const strings = new Map<string, number>()
  const shared = (text: string) => {
    const at = strings.get(text) ?? strings.size
    strings.set(text, at)
    return at
  }
  const bodies = Object.values(sheets).map((rows) =>
    rows
      .map((cells, at) => {
        const written = cells.map((cell, column) => {
          if (cell === null) return ''
          const place = `r="${columnName(column)}${at + 1}"`
          return typeof cell === 'number'
            ? `<c ${place} s="1"><v>${cell}</v></c>`
            : `<c ${place} t="s"><v>${shared(cell)}</v></c>`
        })
        return `<row r="${at + 1}" spans="1:9">${written.join('')}</row>`
      })
      .join(''),
  )
  const names = Object.keys(sheets)
  return zip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names
      .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${MAIN}">${[...strings.keys()]
      .map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
      .join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><!-- kept as it is --></styleSheet>`,
    ...Object.fromEntries(
      bodies.map((body, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet xmlns="${MAIN}"><dimension ref="A1:C9"/><sheetData>${body}</sheetData><pageMargins left="0.7"/></worksheet>`,
      ]),
    ),
  })
}

/** An OpenDocument spreadsheet (ODF 1.3), with the repeated empty rows and cells that LibreOffice writes. */
export function ods(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const tables = Object.entries(sheets).map(([name, rows]) => {
    const lines = rows.map(
      (cells) =>
        `<table:table-row table:style-name="ro1">${cells
          .map((cell) =>
            cell === null
              ? '<table:table-cell/>'
              : typeof cell === 'number'
                ? `<table:table-cell office:value-type="float" office:value="${cell}"><text:p>${cell}</text:p></table:table-cell>`
                : `<table:table-cell office:value-type="string"><text:p>${escaped(cell)}</text:p></table:table-cell>`,
          )
          .join('')}<table:table-cell table:number-columns-repeated="1020"/></table:table-row>`,
    )
    return `<table:table table:name="${escaped(name)}"><table:table-column table:number-columns-repeated="3"/>${lines.join('')}<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>`
  })
  const names = ['office', 'table', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content ${names.join(' ')}><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    'styles.xml': '<office:document-styles/>',
  })
}

/** Text in an encoding of one byte per character; throws for a character that it lacks. */
export function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  )
  return Buffer.from(
    Array.from(text, (character) => {
      const byte = bytes.get(character)
      if (byte === undefined) throw new Error(`${encoding} has no ${character}`)
      return byte
    }),
  )
}

/** Two columns and three rows, one of them with a number for an IBAN. */
export const SHEETS = {
  Data: [
    ['Name', 'IBAN'],
    ['A', 'DE1'],
    ['B', 5],
    ['C', 'DE3'],
  ],
}

export const IBANS = {
  id: 'iban',
  headings: ['iban'],
  words: HEADING_WORDS,
  isText: false,
  shortest: 12,
} as const

/** The cells of each row of a list of IBANs. */
export async function cellsOf(bytes: Uint8Array): Promise<readonly (readonly string[])[]> {
  const list = await readList(
    (async function* () {
      yield bytes
    })(),
    { check: IBANS },
  )
  const rows: (readonly string[])[] = []
  for await (const { cells } of list.rows) rows.push(cells)
  return rows
}
