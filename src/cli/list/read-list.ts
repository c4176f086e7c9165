import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CheckType } from '../../checks/verdict.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type DecodedText, decodeText } from './decode-text.ts'
import { guessDelimiter } from './guess-delimiter.ts'
import type { InputFormat, InputRow, ListInput } from './input-row.ts'
import { splitLines } from './split-lines.ts'
import { findValueColumn } from './value-column.ts'

export interface ReadListOptions {
  readonly type: CheckType
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
  const format = options.format ?? guessFormat(text, options.column !== undefined)
  switch (format) {
    case 'text':
      return { ...listOf('text', text), rows: textRows(text.chunks) }
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
})

function guessFormat({ sample, isWhole }: DecodedText, hasColumn: boolean): InputFormat {
  const first = sample.split(/\r\n|\n|\r/).find((line) => line.trim() !== '')
  if (first !== undefined && isJsonRow(first)) return 'jsonl'
  return hasColumn || guessDelimiter(sample, isWhole) !== null ? 'csv' : 'text'
}

/** A string alone may also be a quoted cell of a CSV, which reads the same. */
function isJsonRow(line: string): boolean {
  try {
    const json: unknown = JSON.parse(line)
    return isObject(json) || typeof json === 'string'
  } catch {
    return false
  }
}

async function* textRows(chunks: AsyncIterable<string>): AsyncGenerator<InputRow> {
  for await (const line of splitLines(chunks)) yield { cells: [line], value: line }
}

async function readJsonLines(text: DecodedText, { column }: ReadListOptions): Promise<ListInput> {
  const lines = splitLines(text.chunks)
  const first = await lines.next()
  const json = first.done === true ? undefined : parsed(first.value)
  const header = isObject(json) ? Object.keys(json) : ['value']
  const key = column ?? (header.length === 1 ? header[0] : 'value') ?? 'value'
  if (isObject(json) && !Object.hasOwn(json, key)) {
    throw new UsageError('say with --column which member of the objects to check')
  }
  const rowOf = (line: string): InputRow => {
    const row = parsed(line)
    if (!isObject(row)) return { cells: [typeof row === 'string' ? row : line], value: row }
    return { cells: header.map((name) => cellOf(row, name)), json: row, value: row[key] ?? null }
  }
  async function* rows(): AsyncGenerator<InputRow> {
    if (first.done !== true) yield rowOf(first.value)
    for await (const line of lines) yield rowOf(line)
  }
  return { ...listOf('jsonl', text), header, rows: rows() }
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

/** Spreadsheets may write the delimiter into a line before the header. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/

async function readCsv(text: DecodedText, { type, column }: ReadListOptions): Promise<ListInput> {
  const separator = SEPARATOR_LINE.exec(text.sample)?.[1]
  const delimiter = separator ?? guessDelimiter(text.sample, text.isWhole) ?? ','
  const records = readRecords(text.chunks, delimiter, separator === undefined ? 1 : 2)
  const first = await records.next()
  if (first.done === true) return { ...listOf('csv', text), delimiter, rows: noRows() }
  const { index, isNamed } = findValueColumn(type, first.value, column)
  const rowOf = (cells: readonly string[]): InputRow => ({ cells, value: cells[index] ?? null })
  async function* rows(): AsyncGenerator<InputRow> {
    if (!isNamed && first.done !== true) yield rowOf(first.value)
    for await (const cells of records) yield rowOf(cells)
  }
  const header = isNamed ? first.value : first.value.map((_, at) => `column_${at + 1}`)
  return { ...listOf('csv', text), delimiter, header, isNamed, rows: rows() }
}

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
