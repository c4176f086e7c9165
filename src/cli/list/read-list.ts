import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CheckType } from '../../checks/verdict.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { Skill } from '../../skills/skill.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type DecodedText, decodeText } from './decode-text.ts'
import { findPreamble, refuseOtherFormats } from './first-line.ts'
import { guessDelimiter, LINE_ENDS } from './guess-delimiter.ts'
import type { InputFormat, InputRow, ListInput } from './input-row.ts'
import { splitLines } from './split-lines.ts'
import { findValueColumn, isHeading } from './value-column.ts'

export interface ReadListOptions {
  readonly skill: Skill
  /** Guessed from the text if absent. */
  readonly format?: InputFormat | undefined
  /** Name of a column, or its number from 1. */
  readonly column?: string | undefined
}

/** Reads plain text, CSV or JSON Lines, row by row; throws {@link UsageError} if it cannot be read as such. */
export async function readList(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadListOptions,
): Promise<ListInput> {
  const text = await decodeText(bytes)
  const format = options.format ?? guessFormat(text, options)
  switch (format) {
    case 'text':
      // `--format text` means that every line is a value.
      return readLines(text, options.format === undefined ? options.skill.id : null)
    case 'jsonl':
      return readJsonLines(text, options)
    case 'csv':
      return readCsv(text, options)
  }
}

const listOf = (format: InputFormat, { hasBom }: DecodedText) => ({
  format,
  hasBom,
  delimiter: ',',
  header: ['value'],
  isNamed: true,
  column: 0,
})

/** A line that is a cell in quotes. */
const QUOTED_LINE = /^"[^"\r\n]*"\r?$/m

function guessFormat({ sample, isWhole }: DecodedText, { skill, column }: ReadListOptions): InputFormat {
  const first = linesOf(sample).find((line) => line.trim() !== '') ?? ''
  if (isJsonRow(first, hasHeading(skill.id, sample))) return 'jsonl'
  refuseOtherFormats(first)
  const isCsv = column !== undefined || findPreamble(sample) !== null || QUOTED_LINE.test(sample)
  return isCsv || guessDelimiter(sample, isWhole) !== null ? 'csv' : 'text'
}

/** True if the first line is a word and a later one is not; a list of words only has no heading. */
function hasHeading(type: CheckType, sample: string): boolean {
  const [first = '', ...rest] = linesOf(sample)
  return isHeading(type, first) && rest.some((line) => line.trim() !== '' && !isHeading(type, line))
}

const linesOf = (sample: string): string[] => sample.split(/\r\n|\n|\r/)

/** A single string may also be a quoted cell of a CSV, which reads the same except for a heading. */
function isJsonRow(line: string, isNamed: boolean): boolean {
  try {
    const json: unknown = JSON.parse(line)
    return isObject(json) || (typeof json === 'string' && !isNamed)
  } catch {
    return false
  }
}

async function readLines(text: DecodedText, type: CheckType | null): Promise<ListInput> {
  const lines = splitLines(text.chunks)
  const first = await lines.next()
  const rowOf = (line: string): InputRow => ({ cells: [line], value: asShown(line) })
  const heading = type !== null && first.done !== true && hasHeading(type, text.sample) ? first.value : null
  async function* rows(): AsyncGenerator<InputRow> {
    if (heading === null && first.done !== true) yield rowOf(first.value)
    for await (const line of lines) yield rowOf(line)
  }
  return { ...listOf('text', text), header: [heading ?? 'value'], rows: rows() }
}

/** Programs write ="00123" to keep a spreadsheet from reading a number; the value is what it shows. */
const asShown = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell

async function readJsonLines(text: DecodedText, { column }: ReadListOptions): Promise<ListInput> {
  // An object may lack a member that the next one has.
  const names = new Set(
    linesOf(text.sample).flatMap((line) => {
      const json = parsed(line)
      return isObject(json) ? Object.keys(json) : []
    }),
  )
  const header = names.size === 0 ? ['value'] : [...names]
  const key = column ?? (header.length === 1 ? header[0] : 'value') ?? 'value'
  if (names.size > 0 && !names.has(key)) {
    throw new UsageError('say with --column which member of the objects to check')
  }
  const rowOf = (line: string): InputRow => {
    const row = parsed(line)
    if (!isObject(row)) return { cells: [typeof row === 'string' ? row : line], value: row }
    return { cells: header.map((name) => cellOf(row, name)), json: row, value: row[key] ?? null }
  }
  async function* rows(): AsyncGenerator<InputRow> {
    for await (const line of splitLines(text.chunks)) yield rowOf(line)
  }
  return { ...listOf('jsonl', text), header, column: Math.max(header.indexOf(key), 0), rows: rows() }
}

/** Undefined if the line is not JSON; null for an empty line, which has no value. */
function parsed(line: string): unknown {
  if (line.trim() === '') return null
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function cellOf(row: JsonObject, name: string): string {
  const member = row[name]
  return typeof member === 'string' ? member : member === undefined ? '' : JSON.stringify(member)
}

async function readCsv(text: DecodedText, { skill, column }: ReadListOptions): Promise<ListInput> {
  const preamble = findPreamble(text.sample)
  const guess = guessDelimiter(text.sample.slice(preamble?.length ?? 0), text.isWhole)
  if (preamble?.delimiter === undefined && guess?.isShortAtTop === true) {
    throw new UsageError(
      'the first line of the list has fewer cells than the others; remove what stands above the headings, or name each column',
    )
  }
  const delimiter = preamble?.delimiter ?? guess?.delimiter ?? ','
  const records = readRecords(text.chunks, delimiter, preamble === null ? 1 : 2)
  const first = await records.next()
  if (first.done === true) return { ...listOf('csv', text), delimiter, rows: noRows() }
  const { index, isNamed } = findValueColumn(skill, first.value, column)
  const width = first.value.length
  const rowOf = (cells: readonly string[]): InputRow => {
    // An extra delimiter shifts the cells behind it: the value may be under another heading.
    if (isNamed && index > 0 && isFilled(cells.slice(width))) return { cells, isShifted: true, value: null }
    const kept = isNamed && !isFilled(cells.slice(width)) ? cells.slice(0, width) : cells
    const cell = cells[index]
    return { cells: kept, value: cell === undefined ? null : asShown(cell) }
  }
  async function* rows(): AsyncGenerator<InputRow> {
    if (!isNamed && first.done !== true) yield rowOf(first.value)
    for await (const cells of records) yield rowOf(cells)
  }
  const header = isNamed ? first.value : first.value.map((_, at) => `column_${at + 1}`)
  return { ...listOf('csv', text), delimiter, header, isNamed, column: index, rows: rows() }
}

const isFilled = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')

async function* noRows(): AsyncGenerator<InputRow> {}

const LONGEST_RECORD = 1024 * 1024

async function* readRecords(
  chunks: AsyncIterable<string>,
  delimiter: string,
  firstLine: number,
): AsyncGenerator<readonly string[]> {
  const source = Readable.from(chunks, { objectMode: true })
  const parser = parse({
    delimiter,
    record_delimiter: LINE_ENDS,
    from_line: firstLine,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
  })
  source.once('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const record of parser) yield record as string[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UsageError(`the list is not a CSV from line ${String(error.lines ?? '?')} on (${error.code})`)
  } finally {
    source.destroy()
  }
}
