import { csvLine } from '../values/csv-line.ts'
import { cellsOf, type InputCell, type InputRow, type ListInput } from './input-row.ts'
import {
  describeResult,
  memberNames,
  NO_WORDS,
  type OwnWords,
  type RowResult,
  resultCells,
  resultColumns,
} from './results.ts'

export const OUTPUT_FORMATS = ['csv', 'jsonl', 'table'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

export type WrittenList = Omit<ListInput, 'rows'>
/** Computes the columns that are made on this machine from the value and its result. */
export type TellOwn = (cell: InputCell, result: RowResult) => OwnWords

export interface RowFormatter {
  readonly head: string
  /** Takes one result for each checked column. */
  row(row: InputRow, ...results: readonly RowResult[]): string
}

export interface WriteOptions {
  readonly own?: TellOwn
  /** Whether the encoding of the output has every character of a text; a value is left out rather than changed. */
  readonly holds?: (text: string) => boolean
}

export function createRowFormatter(
  format: OutputFormat,
  list: WrittenList,
  { own: tellAny = () => NO_WORDS, holds = () => true }: WriteOptions = {},
): RowFormatter {
  const own: TellOwn = (cell, result) => {
    const told = tellAny(cell, result)
    return told.suggested !== null && !holds(told.suggested) ? { ...told, suggested: null } : told
  }
  const formatter = formatterOf(format, list, own)
  const writable = (result: RowResult): RowResult =>
    'bank' in result && !holds(result.bank ?? '') ? { ...result, bank: '' } : result
  return { ...formatter, row: (row, ...results) => formatter.row(row, ...results.map(writable)) }
}

function formatterOf(format: OutputFormat, list: WrittenList, own: TellOwn): RowFormatter {
  switch (format) {
    case 'csv':
      return formatCsv(list, own)
    case 'jsonl':
      return formatJsonLines(list, own)
    case 'table':
      return tableOf(list)
  }
}

/** CSV with the delimiter and the lines above the headings of the input; rows of a workbook get a comma. */
function formatCsv({ delimiter, header, isNamed, columns, above }: WrittenList, tell: TellOwn): RowFormatter {
  const line = (own: readonly string[], added: readonly string[]) =>
    csvLine([...own, ...added], { delimiter, isKept: (at) => at < own.length })
  // A row may have fewer or more cells than the header; its results must stay under their headings. In JSON Lines the cells
  // behind the header are late members.
  const fitted = ({ cells, text }: InputRow) => {
    const last = text === undefined ? header.length - 1 : -1
    return header.map((_, at) => (at === last ? cells.slice(at).join(delimiter) : (cells[at] ?? '')))
  }
  return {
    head: `${above.text}${isNamed ? line(header, resultColumns(header, columns)) : ''}`,
    // The added cells come from a service, which could send a formula.
    row: (row, ...results) => line(fitted(row), addedCells(row, results, tell)),
  }
}

export const addedCells = (row: InputRow, results: readonly RowResult[], own: TellOwn) =>
  results.flatMap((result, at) => resultCells(result, own(cellsOf(row)[at] ?? row, result)))

function formatJsonLines(list: WrittenList, tell: TellOwn): RowFormatter {
  const members = memberNames(list)
  const names = resultColumns(members, list.columns)
  const own = resultColumns([])
  const inputOf = ({ cells }: InputRow) =>
    Object.fromEntries(cells.map((cell, at) => [members[at] ?? `column_${at + 1}`, cell]))
  return {
    head: '',
    row(row, ...results) {
      const renamed = results.flatMap((result, at) => {
        const told = Object.entries(describeResult(result, tell(cellsOf(row)[at] ?? row, result)))
        return told.map(([name, member]) => [names[at * own.length + own.indexOf(name)] ?? name, member])
      })
      const added = Object.fromEntries(renamed)
      if (row.text === undefined) return `${JSON.stringify({ ...inputOf(row), ...added })}\n`
      // Kept as it is: a number of many digits would lose some if it were parsed and written again.
      const start = row.text.trim().slice(0, -1).trimEnd()
      return `${start}${start === '{' ? '' : ','}${JSON.stringify(added).slice(1)}\n`
    },
  }
}

const WIDTHS = [8, 26] as const

/** For a terminal: results first, because values differ in length. */
const tableOf = ({ columns }: WrittenList): RowFormatter => ({
  head: `${(columns.length > 1 ? columns.map(({ type }) => type) : ['RESULT  CODE']).map((title) => title.padEnd(WIDTHS[0] + WIDTHS[1])).join('')}INPUT\n`,
  row({ cells }, ...results) {
    const words = results.map((result) => {
      const word = result.kind === 'skipped' ? 'skipped' : result.valid ? 'valid' : 'invalid'
      return word.padEnd(WIDTHS[0]) + result.code.padEnd(WIDTHS[1])
    })
    const line = words.join('') + cells.join('  ')
    return `${line.replace(/\p{Cc}/gu, ' ')}\n`
  },
})
