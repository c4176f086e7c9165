import { candidatesOf } from './candidate-columns.ts'
import { isNumber, namedColumn } from './columns.ts'
import type { TableRecord } from './input-row.ts'
import { ListFault } from './list-fault.ts'
import { parseCsv } from './parse-csv.ts'
import type { ListCheck } from './value-looks.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Records that a table is guessed from. */
export const SAMPLE_RECORDS = 50

/** Lines above the header: the delimiter (`sep=;`) by spreadsheets, the type of objects by PowerShell, the format by DATEV. */
const PREAMBLE = /^(?:"?sep=([,;|\t:^~])"?|#TYPE [^\r\n]*|"(?:EXTF|DTVF)";[^\r\n]*)(?:\r\n|\n|\r)/i

export interface TableStart {
  readonly delimiter: string
  /** Where the first record begins, in characters, and its line from 1. */
  readonly at: number
  readonly line: number
}

/** Whether a record is the headings: it has the column that was named, or a heading of the type. */
export type IsHeaded = (record: TableRecord, below: readonly TableRecord[], isTop: boolean) => boolean

export const headedBy =
  (check: ListCheck, column: string | undefined): IsHeaded =>
  ({ cells }, below, isTop) =>
    cells.filter((cell) => cell.trim() !== '').length > 1 &&
    below.length > 0 &&
    (column === undefined || isNumber(column) || /^\d+\+\d+$/.test(column)
      ? candidatesOf(
          check,
          cells,
          below.map((each) => each.cells),
          isTop,
        ).length > 0
      : [column, column.replace(/^.*\+/s, '')].some((name) => namedColumn(cells, name) !== undefined))

/** Null if the first records have one column only. */
export function guessTable(sample: string, isWhole: boolean, isHeaded: IsHeaded): TableStart | null {
  const preamble = PREAMBLE.exec(sample)
  const skipped = preamble?.[0].length ?? 0
  const text = sample.slice(skipped)
  const line = preamble === null ? 1 : 2
  const readings = (preamble?.[1] === undefined ? DELIMITERS : [preamble[1]]).map((delimiter) => ({
    delimiter,
    // The last record of a sample may be cut off.
    records: parseCsv(text, delimiter, { isEnd: isWhole, line, most: SAMPLE_RECORDS }).records,
  }))
  const startOf = (delimiter: string, first?: Pick<TableStart, 'at' | 'line'>): TableStart => ({
    delimiter,
    at: skipped + (first?.at ?? 0),
    line: first?.line ?? line,
  })
  const [headed] = readings
    .flatMap(({ delimiter, records }) => {
      const index = findHeadings(records, isHeaded)
      return index < 0 ? [] : [{ delimiter, first: records[index], records: records.slice(index) }]
    })
    .toSorted((a, b) => (b.first?.cells.length ?? 0) - (a.first?.cells.length ?? 0))
  if (headed !== undefined) {
    refuseShortTop(sizesOf(headed.records))
    return startOf(headed.delimiter, headed.first)
  }
  const [even] = readings
    .map(({ delimiter, records }) => ({ delimiter, first: records[0], columns: evenColumns(records) }))
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.columns - a.columns)
  if (even !== undefined) return startOf(even.delimiter, even.first)
  const [uneven] = readings
    .map(({ delimiter, records }) => ({ delimiter, first: records[0], sizes: sizesOf(records) }))
    .filter(({ sizes }) => isMost(sizes, (size) => size > 1))
    .toSorted((a, b) => (b.sizes[0] ?? 0) - (a.sizes[0] ?? 0))
  if (uneven === undefined) return preamble === null ? null : startOf(preamble[1] ?? ',')
  refuseShortTop(uneven.sizes)
  return startOf(uneven.delimiter, uneven.first)
}

/** -1 if there are none. */
export const findHeadings = (records: readonly TableRecord[], isHeaded: IsHeaded): number =>
  records.findIndex((record, at) => isHeaded(record, records.slice(at + 1), at === 0))

/** Throws {@link ListFault} if most records have more cells than the first, which then cannot name them. */
function refuseShortTop([top = 0, ...rest]: readonly number[]): void {
  if (isMost(rest, (size) => size > top))
    throw new ListFault(
      'the first line of the list has fewer cells than the others; remove what stands above the headings, name each column, or say the heading with --column',
    )
}

function evenColumns(records: readonly TableRecord[]): number {
  const counts = new Set(records.map(({ cells }) => cells.length))
  return counts.size === 1 ? (records[0]?.cells.length ?? 0) : 0
}

/** Up to its last filled cell; empty records are left out. */
const sizesOf = (records: readonly TableRecord[]): readonly number[] =>
  records.map(({ cells }) => cells.findLastIndex((cell) => cell.trim() !== '') + 1).filter((size) => size > 0)

const isMost = (sizes: readonly number[], fits: (size: number) => boolean): boolean =>
  sizes.filter(fits).length * 2 > sizes.length
