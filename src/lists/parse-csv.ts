import type { TableRecord } from './input-row.ts'
import { ListFault } from './list-fault.ts'

/** Far longer than any row; an endless one must not fill the memory. */
const LONGEST_RECORD = 1024 * 1024

export interface CsvRecord extends TableRecord {
  /** Where it begins in the text. */
  readonly at: number
}

export interface CsvReading {
  readonly records: readonly CsvRecord[]
  /** The text from here on is no complete record yet. */
  readonly rest: number
  /** The line in which `rest` begins. */
  readonly line: number
  /** The line of a quote that is not closed. */
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
  let openQuote: number | null = null
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
      openQuote = quoted.isOpen ? line + lines : null
      if (quoted.isOpen) break
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
    if (end >= text.length && cells.length === 0 && cell === '')
      return { records, rest: end, line, openQuote }
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
  return { records, rest: start, line, openQuote }
}

/** A doubled quote is one quote. */
function quotedCell(text: string, start: number) {
  let cell = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { cell, end: text.length, lines: 0, isOpen: true }
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"')
      return { cell, end: quote + 1, lines: cell.match(/\r\n|\n|\r/g)?.length ?? 0, isOpen: false }
    cell += '"'
    from = quote + 2
  }
}

/** The records of a text that comes in pieces. Throws {@link ListFault} for a quote that is never closed. */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  delimiter: string,
  { skip, line: firstLine }: { readonly skip: number; readonly line: number },
): AsyncGenerator<CsvRecord> {
  let text = ''
  let skipped = 0
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
    return reading.records
  }
  for await (const chunk of chunks) {
    text += chunk
    if (skipped < skip) {
      const cut = Math.min(skip - skipped, text.length)
      text = text.slice(cut)
      skipped += cut
    }
    yield* read(false)
  }
  yield* read(true)
}
