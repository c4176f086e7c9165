import { Budget, MOST_COLUMNS } from '../budget.ts'
import { ListFault } from '../list-fault.ts'
import { attribute, escapeXml, scanXml, visitXml, type XmlToken } from './scan-xml.ts'
import { readZip, type ZipPart } from './unzip.ts'
import { columnOf, findSheet } from './xlsx.ts'
import { withPart } from './zip.ts'

/** What is added to the rows of a sheet, behind its last column. */
export interface Additions {
  /** Cells by the line of their row; those of the headings too. */
  readonly cells: ReadonlyMap<number, readonly string[]>
  readonly width: number
}

/**
 * Returns an Excel workbook with cells of text behind the last column of one sheet; everything else stays as it is. Throws
 * {@link ListFault} for a workbook of another kind or without room.
 */
export async function addToWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  sheet: string,
  { cells, width }: Additions,
): Promise<Uint8Array<ArrayBuffer>> {
  const budget = new Budget()
  budget.read(bytes.length)
  const parts = readZip(bytes, budget)
  const part = await findSheet(parts, sheet)
  if (part === undefined)
    throw new ListFault('results are written into .xlsx and .xlsm workbooks only; name the output .csv')
  const first = (await lastColumn(part)) + 1
  if (first + width > MOST_COLUMNS)
    throw new ListFault('the sheet has no room for the results; name the output .csv')
  return withPart(parts, part, rewritten(scanXml(part), cells, first))
}

/** The last column with a cell, even an empty one. */
async function lastColumn(part: ZipPart): Promise<number> {
  let [last, column] = [-1, -1]
  await visitXml(part, (token) => {
    if (token.kind !== 'open') return
    if (token.text === 'row') column = -1
    else if (token.text === 'c') column = columnOf(attribute(token, 'r')) ?? column + 1
    last = Math.max(last, column)
  })
  return last
}

async function* rewritten(
  pieces: AsyncIterable<Iterable<XmlToken>>,
  cells: Additions['cells'],
  first: number,
): AsyncGenerator<string> {
  let line = 0
  const written = (token: XmlToken): string => {
    const { kind, text, raw } = token
    if (kind === 'open' && text === 'row') {
      line = Number(attribute(token, 'r') ?? line + 1)
      // The span is a hint that no longer holds.
      return raw.replace(/\sspans="[^"]*"/, '')
    }
    if (kind === 'close' && text === 'row') {
      const added = cells.get(line) ?? []
      const prefix = raw.slice(2, raw.lastIndexOf('row'))
      return added.map((cell, at) => textCell(cell, `${nameOf(first + at)}${line}`, prefix)).join('') + raw
    }
    return kind !== 'text' && text === 'dimension' ? '' : raw
  }
  for await (const tokens of pieces) yield Array.from(tokens, written).join('')
}

const textCell = (text: string, place: string, x: string): string =>
  text === ''
    ? ''
    : `<${x}c r="${place}" t="inlineStr"><${x}is><${x}t xml:space="preserve">${escapeXml(text)}</${x}t></${x}is></${x}c>`

const nameOf = (column: number): string =>
  (column >= 26 ? nameOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
