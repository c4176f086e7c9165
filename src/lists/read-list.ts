import { Budget } from './budget.ts'
import { findValueColumn } from './columns.ts'
import { createAmbiguity, type DecodedText, decodeText, ENCODINGS } from './decode-text.ts'
import { isZip, peek, refuseOtherBytes } from './first-bytes.ts'
import { guessTable, headedBy } from './guess-table.ts'
import { type InputFormat, type InputRow, type ListInput, listOf, type ReadListOptions } from './input-row.ts'
import { ListFault } from './list-fault.ts'
import { refuseOtherText } from './other-texts.ts'
import { parseCsv, readCsv } from './parse-csv.ts'
import { isObject, readJsonLines } from './read-json-lines.ts'
import { linesOf, splitLines } from './split-lines.ts'
import { asShown, cellWith, rowsOf, tableOf } from './table-rows.ts'
import { isHeading, type ListCheck } from './value-looks.ts'

/**
 * Text, CSV, JSON Lines or a workbook, for the command line and the page. Throws {@link ListFault}, also while rows are
 * read.
 */
export async function readList(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadListOptions,
): Promise<ListInput> {
  const budget = options.budget ?? new Budget()
  const { start, all } = await peek(counted(bytes, budget), 8)
  refuseOtherBytes(start)
  // The page loads these modules only if it needs them.
  if (isZip(start)) return (await import('./workbook/read-workbook.ts')).readWorkbook(all, options, budget)
  if (options.sheet !== undefined) throw new ListFault('a sheet was named, and the list is no workbook')
  const text = await decodeText(all, options)
  refuseOtherText(text.sample)
  const format = options.format ?? guessFormat(text, options)
  switch (format) {
    case 'text':
      if (options.others !== undefined)
        throw new ListFault('several columns were named, and lines of text have one')
      // `--input text` means that every line is a value.
      return readLines(text, options.check, options.format !== undefined, budget)
    case 'jsonl':
      return readJsonLines(text, options, budget)
    case 'csv':
      return readTable(text, options, budget)
    case 'workbook':
      throw new ListFault('the list is no workbook (.xlsx or .ods)')
  }
}

/** Bytes of a piece, however many arrive at once: what cannot be a list is refused after the first of them. */
const PIECE = 64 * 1024

async function* counted(bytes: AsyncIterable<Uint8Array>, budget: Budget): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE)
      budget.read(piece.length)
      await budget.turn()
      yield piece
    }
  }
}

const QUOTED_LINE = /^"[^"\r\n]*"\r?$/m
/** JSON over several lines. A bracket alone says nothing: SQL Server writes names as `[name]`. */
const JSON_START = /^(?:\[\s*(?:["'[{\]\d]|$)|\{\s*(?:["'}]|$))/
const MARKUP_START = /^<(?:[?!]|(?:html|table|workbook)(?:[\s>]|$))/i

function guessFormat({ sample, isWhole }: DecodedText, { check, column }: ReadListOptions): InputFormat {
  const first = linesOf(sample).find((line) => line.trim() !== '') ?? ''
  if (isJsonRow(first, hasHeading(check, sample))) return 'jsonl'
  // As plain text, each line of these would be bought as a value.
  if (JSON_START.test(first.trimStart()))
    throw new ListFault(
      'the list is JSON, but not JSON Lines; "jq -c" writes them: jq -c . for objects, jq -c .[] for an array',
    )
  if (MARKUP_START.test(first.trimStart()))
    throw new ListFault('the list is a page or a workbook (HTML or XML); save it as .xlsx or "CSV UTF-8"')
  const isCsv = column !== undefined || QUOTED_LINE.test(sample)
  return isCsv || guessTable(sample, isWhole, headedBy(check, column)) !== null ? 'csv' : 'text'
}

function hasHeading(check: ListCheck, sample: string): boolean {
  const [first = '', ...rest] = linesOf(sample)
  return isHeading(check, first) && rest.some((line) => line.trim() !== '' && !isHeading(check, line))
}

/** A string in quotes may also be the quoted cell of a CSV, which reads the same unless it is a heading. */
function isJsonRow(line: string, isNamed: boolean): boolean {
  try {
    const json: unknown = JSON.parse(line)
    return isObject(json) || (typeof json === 'string' && !isNamed)
  } catch {
    return false
  }
}

async function readLines(
  text: DecodedText,
  check: ListCheck,
  isEach: boolean,
  budget: Budget,
): Promise<ListInput> {
  const isUnsure = unsure(text)
  const lines = linesOf(text.sample)
  const [first, ...below] = lines.filter((line) => line.trim() !== '').map((line) => [line])
  const type = check.id
  const isNamed = !isEach && first !== undefined && findValueColumn(check, first, below).isNamed
  async function* rows(): AsyncGenerator<InputRow> {
    let [line, isHead] = [0, isNamed]
    for await (const cell of splitLines(text.chunks)) {
      line += 1
      budget.row([cell])
      if (isHead) {
        isHead = cell.trim() === ''
        continue
      }
      const value = asShown(cell)
      if (isUnsure(cell)) yield { line, cells: [cell], type, leftOut: 'encoding_unknown', value: null }
      else yield { line, cells: [cell], ...(isEach ? { type, value } : cellWith(check, value)) }
    }
  }
  if (lines.some(isUnsure)) throw encodingUnknown()
  return {
    ...listOf('text', text, check),
    header: isNamed ? first : ['value'],
    rows: rows(),
  }
}

/** Returns a test for cells whose letters a guessed encoding may read wrongly. */
const unsure = ({ encoding }: DecodedText): ((cell: string) => boolean) =>
  encoding.isGuess ? createAmbiguity() : () => false

const encodingUnknown = () =>
  new ListFault(
    'the values have letters that read differently in windows-1250 and windows-1252; say which with --encoding',
    { option: 'encoding', of: ENCODINGS },
  )

async function readTable(text: DecodedText, options: ReadListOptions, budget: Budget): Promise<ListInput> {
  const { sample, isWhole } = text
  const isHeaded = headedBy(options.check, options.column)
  const start = guessTable(sample, isWhole, isHeaded) ?? { delimiter: ',', at: 0, line: 1 }
  const { delimiter, at, line } = start
  const [first, ...below] = parseCsv(sample.slice(at), delimiter, { isEnd: isWhole, line, most: 50 }).records
  const records = readCsv(text.chunks, delimiter, { skip: at, line }, budget)
  const above = { text: sample.slice(0, at), lines: line - 1 }
  if (first === undefined) {
    return {
      ...listOf('csv', text, options.check),
      delimiter,
      rows: rowsOf(records, (record) => ({ ...record, type: options.check.id, value: null })),
    }
  }
  const isUnsure = unsure(text)
  const table = tableOf(first, below, options, isUnsure)
  const { header, isNamed, columns } = table
  if (below.some(({ cells }) => columns.some(({ index }) => isUnsure(cells[index] ?? ''))))
    throw encodingUnknown()
  return {
    ...listOf('csv', text, options.check),
    ...{ delimiter, above, header, isNamed, columns, headerLine: first.line, doubts: table.doubts },
    rows: rowsOf(records, table.rowOf, isNamed ? 1 : 0),
  }
}
