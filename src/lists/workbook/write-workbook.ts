import { Budget, MOST_COLUMNS } from '../budget.ts'
import type { InputRow, ListInput } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { RESULT_NAMES, type RowResult, resultColumns } from '../results.ts'
import { addedCells, type TellOwn } from '../write-rows.ts'
import { nameOf } from './cell-range.ts'
import { grownNames, grownTable, widened } from './grow-ranges.ts'
import { type ListRange, rangesOf, type SheetRanges, whyApart } from './result-place.ts'
import { newSheet } from './results-sheet.ts'
import { prefixOf, rewriteXml, withAttribute } from './rewrite-xml.ts'
import { attribute, escapeXml } from './scan-xml.ts'
import { readZip, type ZipPart } from './unzip.ts'
import { findSheet } from './xlsx.ts'
import { withParts } from './zip.ts'

export interface WorkbookWriter {
  /** The sheet of their own that the results get; null if they stand beside the rows. */
  readonly apart: ResultsApart | null
  row(row: InputRow, ...results: readonly RowResult[]): void
  /** The workbook with cells behind the last column of the sheet, or a sheet more; everything else stays as it is. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ResultsApart {
  readonly sheet: string
  readonly why: string
}

/** Throws {@link ListFault} for a list that is no Excel workbook, and for one without room. */
export async function openWorkbook(list: ListInput, own: TellOwn): Promise<WorkbookWriter> {
  const { sheet, header, isNamed, headerLine, columns, workbook } = list
  if (sheet === null || workbook === undefined)
    throw new ListFault('--out names a workbook, and the list is no workbook; name the output .csv')
  const headings = resultColumns(header, columns)
  const checked = columns.map(({ index }) => index)
  const { apart, write } = await addToWorkbook(workbook, sheet, { isNamed, headerLine, checked, headings })
  const cells = new Map<number, readonly string[]>()
  const put = (line: number, names: readonly string[], added: readonly string[]) =>
    void cells.set(line, apart === null ? added : [...checked.map((at) => names[at] ?? ''), ...added])
  if (apart !== null) put(HEADINGS, header, headings)
  else if (isNamed) put(headerLine, header, headings)
  return {
    apart,
    row: (row, ...results) => put(row.line, row.cells, addedCells(row, results, own)),
    bytes: () => write(cells),
  }
}

/** The line of the headings in a sheet of their own. */
const HEADINGS = 0

/** Cells by the line of their row, of the headings too; in a sheet of their own those of the values come first. */
type AddedCells = ReadonlyMap<number, readonly string[]>

export interface WorkbookAddition {
  readonly apart: ResultsApart | null
  write(cells: AddedCells): Promise<Uint8Array<ArrayBuffer>>
}

export async function addToWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  sheet: string,
  list: ListRange,
): Promise<WorkbookAddition> {
  const budget = new Budget()
  budget.read(bytes.length)
  const parts = readZip(bytes, budget)
  const part = await findSheet(parts, sheet, budget)
  if (part === undefined)
    throw new ListFault('results are written into .xlsx and .xlsm workbooks only; name the output .csv')
  const ranges = await rangesOf(part, parts)
  const why = whyApart(ranges, list)
  if (why !== null) return addSheet(parts, part, list, why)
  const first = ranges.lastColumn + 1
  const right = ranges.lastColumn + list.headings.length
  if (right >= MOST_COLUMNS)
    throw new ListFault('the sheet has no room for the results; name the output .csv')
  const workbook = parts.find(({ name }) => name === 'xl/workbook.xml')
  return {
    apart: null,
    write: (cells) =>
      withParts(
        parts,
        new Map([
          [part, grownSheet(part, cells, { ranges, list, first, right })],
          ...ranges.tables.map((table) => [table.part, grownTable(table, list.headings, right)] as const),
          ...(workbook === undefined ? [] : [[workbook, grownNames(workbook, sheet, list, right)] as const]),
        ]),
      ),
  }
}

interface Growth {
  readonly ranges: SheetRanges
  readonly list: ListRange
  readonly first: number
  readonly right: number
}

/** The sheet with the results behind its last column, and its own filter over them. */
function grownSheet(part: ZipPart, cells: AddedCells, { ranges, list, first, right }: Growth) {
  let [line, isCustom, isFilter] = [0, false, false]
  const isOurs = ranges.filter?.top === list.headerLine
  return rewriteXml(part, (token) => {
    const { kind, text, raw } = token
    if (text === 'customSheetViews') isCustom = kind === 'open' && !token.isEmpty
    if (text === 'autoFilter' && !isCustom) isFilter = kind === 'open'
    if (kind === 'open' && text === 'row') {
      line = Number(attribute(token, 'r') ?? line + 1)
      // The span is a hint that no longer holds.
      return raw.replace(/\sspans="[^"]*"/, '')
    }
    if (kind === 'close' && text === 'row')
      return rowCells(cells.get(line) ?? [], { line, first, prefix: prefixOf(token) }) + raw
    if (kind === 'open' && text === 'dimension')
      return withAttribute(raw, 'ref', (ref) => widened(ref, right, ranges.lastRow))
    const isSorted = isOurs && isFilter && (text === 'autoFilter' || text === 'sortState')
    if (text === 'autoFilter' && token.isEmpty) isFilter = false
    return isSorted && kind === 'open' ? withAttribute(raw, 'ref', (ref) => widened(ref, right)) : raw
  })
}

/** Puts the results into a sheet of their own, with the number of the row and the value in front of them. */
async function addSheet(
  parts: readonly ZipPart[],
  part: ZipPart,
  { checked }: ListRange,
  why: string,
): Promise<WorkbookAddition> {
  const sheet = await newSheet(parts, part)
  if (sheet === null) throw new ListFault(`results cannot be written, since ${why}; name the output .csv`)
  const rowOf = ([line, cells]: readonly [number, readonly string[]], at: number) => {
    const number = line === HEADINGS ? textCell('row', `A${at + 1}`) : `<c r="A${at + 1}"><v>${line}</v></c>`
    const place = { line: at + 1, first: 1, lead: checked.length }
    return `<row r="${at + 1}">${number}${rowCells(cells, place)}</row>`
  }
  return {
    apart: { sheet: sheet.title, why },
    write(cells) {
      const text = sheet.around([...cells].map(rowOf).join(''))
      return withParts(parts, sheet.changed, [{ name: sheet.name, text }])
    },
  }
}

interface RowPlace {
  readonly line: number
  readonly first: number
  readonly prefix?: string
  readonly lead?: number
}

const rowCells = (cells: readonly string[], { line, first, prefix = '', lead = 0 }: RowPlace): string =>
  cells
    .map((cell, at) => {
      const place = `${nameOf(first + at)}${line}`
      return at >= lead && RESULT_NAMES[(at - lead) % RESULT_NAMES.length] === 'valid' && TRUTH.has(cell)
        ? `<${prefix}c r="${place}" t="b"><${prefix}v>${TRUTH.get(cell)}</${prefix}v></${prefix}c>`
        : textCell(cell, place, prefix)
    })
    .join('')

/** A verdict is a boolean, so that `=IF(I5=FALSE,…)` and COUNTIF work on it. */
const TRUTH = new Map([
  ['true', 1],
  ['false', 0],
])

const textCell = (text: string, place: string, x = ''): string =>
  text === ''
    ? ''
    : `<${x}c r="${place}" t="inlineStr"><${x}is><${x}t xml:space="preserve">${escapeXml(text)}</${x}t></${x}is></${x}c>`
