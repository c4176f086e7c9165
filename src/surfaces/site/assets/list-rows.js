/** A list as records of cells: CSV with any usual delimiter, or plain text with a value a line. */

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_RECORDS = 50
/** Spreadsheets may write the delimiter into a line before the header. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/

/**
 * Returns the records that are not empty, with the delimiter; null for plain text.
 *
 * @param {string} text
 * @returns {{ records: string[][], delimiter: string | null }}
 */
export function readRecords(text) {
  const separator = SEPARATOR_LINE.exec(text)
  const body = separator === null ? text : text.slice(separator[0].length)
  const delimiter = separator?.[1] ?? guessDelimiter(body)
  if (delimiter !== null) return { records: parseCsv(body, delimiter), delimiter }
  // A column alone may still be quoted.
  if (body.trimStart().startsWith('"')) return { records: parseCsv(body, ','), delimiter: null }
  const lines = body.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return { records: lines.map((line) => [line]), delimiter: null }
}

/**
 * The delimiter by which the first records all have the same number of columns; null if they have one column only.
 *
 * @param {string} text
 */
function guessDelimiter(text) {
  const cut = text.length > SAMPLE_CHARACTERS ? text.lastIndexOf('\n', SAMPLE_CHARACTERS) : text.length
  const sample = text.slice(0, cut > 0 ? cut : SAMPLE_CHARACTERS)
  let best = { delimiter: /** @type {string | null} */ (null), columns: 1 }
  for (const delimiter of DELIMITERS) {
    const counts = new Set(parseCsv(sample, delimiter, SAMPLE_RECORDS).map((record) => record.length))
    const [columns = 0] = counts
    if (counts.size === 1 && columns > best.columns) best = { delimiter, columns }
  }
  return best.delimiter
}

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
