import { Budget, MOST_COLUMNS } from '../budget.ts'
import type { InputRow, ListInput } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { type RowResult, resultColumns } from '../results.ts'
import { addedCells, type TellOwn } from '../write-rows.ts'
import { attribute, escapeXml, scanXml, visitXml, type XmlToken } from './scan-xml.ts'
import { readZip, type ZipPart } from './unzip.ts'
import { columnOf, findSheet } from './xlsx.ts'
import { withPart } from './zip.ts'

/** Collects the results of the rows of an Excel workbook, and writes it with them. */
export interface WorkbookWriter {
  row(row: InputRow, ...results: readonly RowResult[]): void
  /** The workbook with cells of text behind the last column of the sheet; everything else stays as it is. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** Throws {@link ListFault} for a list that is no Excel workbook, and for one without room. */
export async function openWorkbook(list: ListInput, own: TellOwn): Promise<WorkbookWriter> {
  const { sheet, header, isNamed, headerLine, columns, workbook } = list
  if (sheet === null || workbook === undefined)
    throw new ListFault('--out names a workbook, and the list is no workbook; name the output .csv')
  const headings = resultColumns(header, columns)
  const cells = new Map<number, readonly string[]>(isNamed ? [[headerLine, headings]] : [])
  const write = await addToWorkbook(workbook, sheet, headings.length)
  return {
    row: (row, ...results) => void cells.set(row.line, addedCells(row, results, own)),
    bytes: () => write(cells),
  }
}

/** Cells by the line of their row; those of the headings too. */
type AddedCells = ReadonlyMap<number, readonly string[]>

/** Finds room for so many cells a row; the result writes the workbook with them. */
export async function addToWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  sheet: string,
  width: number,
): Promise<(cells: AddedCells) => Promise<Uint8Array<ArrayBuffer>>> {
  const budget = new Budget()
  budget.read(bytes.length)
  const parts = readZip(bytes, budget)
  const part = await findSheet(parts, sheet)
  if (part === undefined)
    throw new ListFault('results are written into .xlsx and .xlsm workbooks only; name the output .csv')
  const first = (await lastColumn(part)) + 1
  if (first + width > MOST_COLUMNS)
    throw new ListFault('the sheet has no room for the results; name the output .csv')
  return (cells) => withPart(parts, part, rewritten(scanXml(part), cells, first))
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
  cells: AddedCells,
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
