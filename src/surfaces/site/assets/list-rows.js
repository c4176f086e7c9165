/** A list as records of cells: CSV with any usual delimiter, or plain text with a value a line. */
import { ListFault } from './list-text.js'

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_RECORDS = 50
/** Programs for spreadsheets write the delimiter into a line before the header, and PowerShell the type of its objects. */
const PREAMBLE = /^(?:"?sep=(.)"?|#TYPE [^\r\n]*)(?:\r\n|\n|\r)/i
/** A line that is a cell in quotes. */
const QUOTED_LINE = /^"[^"\r\n]*"\r?$/m
/** What stands in brackets may also be a name, as SQL Server writes it, or a value. */
const JSON_START = /^\s*(?:\[\s*["'[{\]\d]|\{\s*["'}])/
const MARKUP_START = /^\s*<(?:[?!]|(?:html|table|workbook)[\s>])/i

/**
 * Returns the records that are not empty, with the delimiter; null for plain text. The command line reads the same
 * (src/cli/list). Throws a ListFault for what is no list.
 *
 * @param {string} text
 * @returns {{ records: string[][], delimiter: string | null }}
 */
export function readRecords(text) {
  const preamble = PREAMBLE.exec(text)
  const body = preamble === null ? text : text.slice(preamble[0].length)
  refuseOtherFormats(body)
  const delimiter = preamble?.[1] ?? guessDelimiter(body)
  if (delimiter !== null) return { records: parseCsv(body, delimiter), delimiter }
  // A column alone may still be quoted.
  if (body.trimStart().startsWith('"') || QUOTED_LINE.test(body)) {
    return { records: parseCsv(body, ','), delimiter: null }
  }
  const lines = body.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return { records: lines.map((line) => [line]), delimiter: null }
}

/**
 * Refuses what looks like lines and is not: each of them would be sold as a value.
 *
 * @param {string} text
 */
function refuseOtherFormats(text) {
  if (JSON_START.test(text)) {
    throw new ListFault(
      'This is JSON. The command line reads JSON Lines; here a list is CSV, or a value a line.',
    )
  }
  if (MARKUP_START.test(text)) {
    throw new ListFault('This is HTML or XML. Save it as "CSV UTF-8" and choose that file.')
  }
}

/**
 * The delimiter of the first records; null if they have one column only. Throws a ListFault if the first record cannot
 * name the columns.
 *
 * @param {string} text
 */
function guessDelimiter(text) {
  const cut = text.length > SAMPLE_CHARACTERS ? text.lastIndexOf('\n', SAMPLE_CHARACTERS) : text.length
  const sample = text.slice(0, cut > 0 ? cut : SAMPLE_CHARACTERS)
  const readings = DELIMITERS.map((delimiter) => ({
    delimiter,
    records: parseCsv(sample, delimiter, SAMPLE_RECORDS),
  }))
  const [even] = readings
    .map(({ delimiter, records }) => ({ delimiter, columns: evenColumns(records) }))
    .filter(({ columns }) => columns > 1)
    .sort((a, b) => b.columns - a.columns)
  if (even !== undefined) return even.delimiter
  // A row of totals, a stray delimiter or a title does not make a line of cells one value.
  const [uneven] = readings
    .map(({ delimiter, records }) => ({ delimiter, sizes: filledSizes(records) }))
    .filter(({ sizes }) => isMost(sizes, (size) => size > 1))
    .map(({ delimiter, sizes: [top = 0, ...rest] }) => ({ delimiter, top, rest }))
    .sort((a, b) => b.top - a.top)
  if (uneven === undefined) return null
  if (isMost(uneven.rest, (size) => size > uneven.top)) {
    throw new ListFault(
      'The first line has fewer cells than the others. Remove what stands above the headings.',
    )
  }
  return uneven.delimiter
}

/**
 * Columns that every record has; 0 if the records differ.
 *
 * @param {readonly string[][]} records
 */
function evenColumns(records) {
  const counts = new Set(records.map((record) => record.length))
  return counts.size === 1 ? (records[0]?.length ?? 0) : 0
}

/**
 * Cells of each record up to the last that is not empty, without the records that are empty.
 *
 * @param {readonly string[][]} records
 */
const filledSizes = (records) =>
  records.map((cells) => cells.findLastIndex((cell) => cell.trim() !== '') + 1).filter((size) => size > 0)

/**
 * @param {readonly number[]} sizes
 * @param {(size: number) => boolean} fits
 */
const isMost = (sizes, fits) => sizes.filter(fits).length * 2 > sizes.length

/**
 * Parses CSV (RFC 4180). A quote inside an unquoted cell stands for itself; empty lines are left out.
 *
 * @param {string} text
 * @param {string} delimiter
 * @param {number} [most] records to read
 */
export function parseCsv(text, delimiter, most = Number.POSITIVE_INFINITY) {
  /** @type {string[][]} */
  const records = []
  /** @type {string[]} */
  let record = []
  let at = 0
  while (at < text.length && records.length < most) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at, delimiter) : plainCell(text, at, delimiter)
    record.push(cell)
    at = end
    if (text[at] === delimiter) {
      at += 1
      if (at < text.length) continue
      record.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
  }
  return records
}

/**
 * @param {string} text
 * @param {number} start
 * @param {string} delimiter
 */
function plainCell(text, start, delimiter) {
  let end = start
  while (end < text.length && !isEnd(text[end], delimiter)) end += 1
  return { cell: text.slice(start, end), end }
}

/**
 * A doubled quote is one quote; what follows the closing quote belongs to the cell as it stands.
 *
 * @param {string} text
 * @param {number} start
 * @param {string} delimiter
 */
function quotedCell(text, start, delimiter) {
  let cell = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { cell: cell + text.slice(from), end: text.length }
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      const rest = plainCell(text, quote + 1, delimiter)
      return { cell: cell + rest.cell, end: rest.end }
    }
    cell += '"'
    from = quote + 2
  }
}

/**
 * @param {string | undefined} sign
 * @param {string} delimiter
 */
const isEnd = (sign, delimiter) => sign === delimiter || sign === '\n' || sign === '\r'
