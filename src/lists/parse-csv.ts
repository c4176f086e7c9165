import type { Budget } from './budget.ts'
import type { TableRecord } from './input-row.ts'
import { ListFault } from './list-fault.ts'

/** Characters, far more than any row has: a list without line ends must not fill the memory. */
const LONGEST_RECORD = 1024 * 1024

export interface CsvRecord extends TableRecord {
  readonly at: number
}

export interface CsvReading {
  readonly records: readonly CsvRecord[]
  /** Index in the text behind the last complete record. */
  readonly rest: number
  readonly line: number
  /** Line of a quote that is not closed, null without one; no record is read behind it. */
  readonly openQuote: number | null
}

/**
 * Parses CSV (RFC 4180) with LF, CR LF or CR, mixed too. A quote inside an unquoted cell stands for itself, what follows a
 * closing quote belongs to the cell, and empty lines are left out. Without `isEnd` the last record may be incomplete.
 */
export function parseCsv(
  text: string,
  delimiter: string,
  { isEnd = true, line: firstLine = 1, most = Number.POSITIVE_INFINITY } = {},
): CsvReading {
  const records: CsvRecord[] = []
  let start = 0
  let line = firstLine
  let cells: string[] = []
  let at = 0
  let lines = 0
  const plainEnd = (from: number): number => {
    let end = from
    for (; end < text.length; end += 1) {
      const sign = text[end]
      if (sign === delimiter || sign === '\n' || sign === '\r') break
    }
    return end
  }
  while (records.length < most) {
    let end: number
    let cell: string
    if (text[at] === '"') {
      const quoted = quotedCell(text, at)
      if (quoted === null) return { records, rest: start, line, openQuote: line + lines }
      end = plainEnd(quoted.end)
      cell = quoted.cell + text.slice(quoted.end, end)
      lines += quoted.lines
    } else {
      end = plainEnd(at)
      cell = text.slice(at, end)
    }
    // A CR at the end may be half of CR LF.
    const isCut = end >= text.length || (text[end] === '\r' && end + 1 === text.length)
    if (isCut && !isEnd) break
    cells.push(cell)
    at = end + 1
    if (text[end] === delimiter) continue
    if (text[end] === '\r' && text[at] === '\n') at += 1
    if (cells.length > 1 || cells[0] !== '') records.push({ cells, line, at: start })
    line += lines + 1
    lines = 0
    cells = []
    start = at
    if (end >= text.length) break
  }
  return { records, rest: start, line, openQuote: null }
}

/** Reads the cell whose quote opens at `start`; a doubled quote is one quote. Null if it is not closed. */
function quotedCell(text: string, start: number) {
  let cell = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return null
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"')
      return { cell, end: quote + 1, lines: cell.match(/\r\n|\n|\r/g)?.length ?? 0 }
    cell += '"'
    from = quote + 2
  }
}

/**
 * Without the first `skip` characters; `line` is that of the first record. Throws {@link ListFault} for an unclosed
 * quote and a record without end.
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  delimiter: string,
  { skip, line: firstLine }: { readonly skip: number; readonly line: number },
  budget: Budget,
): AsyncGenerator<CsvRecord> {
  let text = ''
  let left = skip
  let line = firstLine
  const read = (isEnd: boolean) => {
    const reading = parseCsv(text, delimiter, { isEnd, line })
    const isTooLong = text.length - reading.rest > LONGEST_RECORD
    if (reading.openQuote !== null && (isEnd || isTooLong))
      throw new ListFault(
        `the list is not a CSV from line ${reading.openQuote} on: the quote that opens there is never closed`,
      )
    if (isTooLong) throw new ListFault('the list has a line of more than a million characters')
    text = text.slice(reading.rest)
    line = reading.line
    for (const { cells } of reading.records) budget.row(cells)
    return reading.records
  }
  for await (const chunk of chunks) {
    text += chunk.slice(left)
    left = Math.max(0, left - chunk.length)
    yield* read(false)
  }
  yield* read(true)
}
