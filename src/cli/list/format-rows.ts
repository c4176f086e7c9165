import { type RowResult, resultCells, resultColumns } from './checked-row.ts'
import type { InputRow, ListInput } from './input-row.ts'

/** How results are written. */
export const OUTPUT_FORMATS = ['csv', 'jsonl', 'table'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

export interface RowFormatter {
  /** The text before the first row. */
  readonly head: string
  row(row: InputRow, result: RowResult): string
}

/** Formats rows as in the input, with the result appended. */
export function createRowFormatter(format: OutputFormat, list: Omit<ListInput, 'rows'>): RowFormatter {
  switch (format) {
    case 'csv':
      return formatCsv(list)
    case 'jsonl':
      return formatJsonLines(list)
    case 'table':
      return TABLE
  }
}

/**
 * A spreadsheet reads a cell with one of these first as a formula, also behind spaces (OWASP, CSV injection). The page
 * for lists has the same (surfaces/site/assets/list-csv.js).
 */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

function formatCsv({ delimiter, header, isNamed, hasBom }: Omit<ListInput, 'rows'>): RowFormatter {
  const special = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]`)
  const quote = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const line = (cells: readonly string[]) => `${cells.map(quote).join(delimiter)}\r\n`
  // A service could send a formula; the input is the user's own.
  const inert = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)
  // Rows may be shorter or longer than the header; the results stay under their headings.
  const fitted = (cells: readonly string[]) => {
    const last = header.length - 1
    return header.map((_, at) => (at === last ? cells.slice(at).join(delimiter) : (cells[at] ?? '')))
  }
  return {
    head: `${hasBom ? '\ufeff' : ''}${isNamed ? line([...header, ...resultColumns(header)]) : ''}`,
    row: ({ cells }, result) => line([...fitted(cells), ...resultCells(result).map(inert)]),
  }
}

function formatJsonLines({ header }: Omit<ListInput, 'rows'>): RowFormatter {
  const [valid = '', code = '', reason = '', normalized = ''] = resultColumns(header)
  const inputOf = ({ cells, json }: InputRow) =>
    json ?? Object.fromEntries(cells.map((cell, at) => [header[at] ?? `column_${at + 1}`, cell]))
  const resultOf = (result: RowResult) =>
    result.kind === 'skipped'
      ? { [valid]: null, [code]: result.code }
      : {
          [valid]: result.valid,
          [code]: result.code,
          [reason]: result.reason,
          [normalized]: result.normalized,
        }
  return {
    head: '',
    row: (row, result) => `${JSON.stringify({ ...inputOf(row), ...resultOf(result) })}\n`,
  }
}

const WIDTHS = [8, 26] as const

/** For reading on a terminal: the verdict first, since values differ in length. */
const TABLE: RowFormatter = {
  head: `${'RESULT'.padEnd(WIDTHS[0])}${'CODE'.padEnd(WIDTHS[1])}INPUT\n`,
  row({ cells }, result) {
    const word = result.kind === 'skipped' ? 'skipped' : result.valid ? 'valid' : 'invalid'
    const input = cells.join('  ').replace(/\p{Cc}/gu, ' ')
    return `${word.padEnd(WIDTHS[0])}${result.code.padEnd(WIDTHS[1])}${input}\n`
  },
}
