import { parse } from 'csv-parse/sync'

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE_RECORDS = 50

/** Line ends may be mixed: a heading from one program above the rows of another. */
export const LINE_ENDS = ['\r\n', '\n', '\r']

export interface Delimiter {
  readonly delimiter: string
  /** Most records have more cells than the first, which then cannot name them. */
  readonly isShortAtTop: boolean
}

/** The delimiter of a CSV by its first records; null if they have one column only. */
export function guessDelimiter(sample: string, isWhole: boolean): Delimiter | null {
  // The last record of a sample may be cut off.
  const end = isWhole ? sample.length : sample.lastIndexOf('\n') + 1
  const text = sample.slice(0, end === 0 ? sample.length : end)
  const readings = DELIMITERS.map((delimiter) => ({ delimiter, records: readSample(text, delimiter) }))
  const [even] = readings
    .map(({ delimiter, records }) => ({ delimiter, columns: evenColumns(records) }))
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.columns - a.columns)
  if (even !== undefined) return { delimiter: even.delimiter, isShortAtTop: false }
  // One row of totals, a stray delimiter or a title must not turn a CSV into plain lines.
  const [uneven] = readings
    .map(({ delimiter, records }) => ({ delimiter, sizes: filledSizes(records) }))
    .filter(({ sizes }) => isMost(sizes, (size) => size > 1))
    .map(({ delimiter, sizes: [top = 0, ...rest] }) => ({ delimiter, top, rest }))
    .toSorted((a, b) => b.top - a.top)
  if (uneven === undefined) return null
  const { delimiter, top, rest } = uneven
  return { delimiter, isShortAtTop: isMost(rest, (size) => size > top) }
}

/** Columns that every record has; 0 if the records differ. */
function evenColumns(records: readonly string[][]): number {
  const counts = new Set(records.map((record) => record.length))
  return counts.size === 1 ? (records[0]?.length ?? 0) : 0
}

/** Cells of each record up to the last that is not empty, without the records that are empty. */
const filledSizes = (records: readonly string[][]): readonly number[] =>
  records.map((cells) => cells.findLastIndex((cell) => cell.trim() !== '') + 1).filter((size) => size > 0)

const isMost = (sizes: readonly number[], fits: (size: number) => boolean): boolean =>
  sizes.filter(fits).length * 2 > sizes.length

/** The first records, up to a syntax error. */
function readSample(text: string, delimiter: string): readonly string[][] {
  const records: string[][] = []
  try {
    parse(text, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
      on_record: (record: string[]) => void records.push(record),
    })
  } catch {
    return records
  }
  return records
}
