/** What of a list is sent: the column with the values, each different value once, nothing the service would refuse. */

/**
 * @typedef {{ line: number, cells: readonly string[], value: string, at: number }} PlannedRow `at` is the place of its
 *   value among those that are sent
 * @typedef {{ line: number, cells: readonly string[], value: string, skipped: 'empty' | 'value_too_long' |
 *   'value_not_unicode' | 'too_many_cells' | 'over_limit' }} SkippedRow
 * @typedef {PlannedRow | SkippedRow} Row
 * @typedef {{ header: readonly string[], rows: readonly Row[], values: readonly string[], duplicates: number,
 *   skipped: number, overLimit: number }} Plan
 */

/** Values under one payment. */
export const MOST_VALUES = 1000
/** Code points of a value. */
const LONGEST_VALUE = 512

/**
 * Chooses the column: by its heading, else the first that looks like values.
 *
 * @param {readonly (readonly string[])[]} records
 * @param {{ type: string, headings: readonly string[] }} check
 */
export function guessColumn(records, { type, headings }) {
  const [first = []] = records
  // The type's own name comes first: beside it, "Account" may be a company.
  const names = first.map((cell) => (isLabelled(cell) ? '' : lettersOf(cell)))
  const named = headings.map((heading) => names.indexOf(heading)).find((at) => at >= 0)
  if (named !== undefined) return named
  const later = records.slice(1, 21)
  const filled = first.findIndex((_, at) => later.some((cells) => looksLikeValue(type, cells[at] ?? '')))
  return Math.max(filled, 0)
}

/**
 * True if the first of several records names the columns: its cell over the values is a word.
 *
 * @param {readonly (readonly string[])[]} records
 * @param {{ type: string, headings: readonly string[] }} check
 * @param {number} column
 */
export function hasHeader([first, second], { type, headings }, column) {
  if (second === undefined) return false
  const cell = first?.[column]?.trim() ?? ''
  return (headings.includes(lettersOf(cell)) && !isLabelled(cell)) || isHeading(type, cell)
}

/** A value behind its label, such as "NIP 526-025-02-74", is no heading. */
const isLabelled = (/** @type {string} */ cell) => cell.replace(/[^0-9]/g, '').length > 6

/** A word; an address that lost its "@" has a full stop within it, unlike "Adr. e-mail". */
const isHeading = (/** @type {string} */ type, /** @type {string} */ cell) =>
  /\p{L}/u.test(cell) && !(type === 'email' ? /@|[\p{L}\p{N}]\.[\p{L}\p{N}]/u : /[0-9]/).test(cell)

/** Every identifier has a digit, and every email address an "@". */
const looksLikeValue = (/** @type {string} */ type, /** @type {string} */ cell) =>
  type === 'email' ? cell.includes('@') : /[0-9]/.test(cell)

const lettersOf = (/** @type {string} */ text) => text.toLowerCase().replace(/[^a-z]/g, '')

/**
 * @param {readonly (readonly string[])[]} records
 * @param {number} column
 * @param {boolean} isNamed true if the first record names the columns
 * @returns {Plan}
 */
export function planList(records, column, isNamed) {
  const [first = []] = records
  const header = isNamed ? first : first.map((_, at) => (first.length === 1 ? 'value' : `column_${at + 1}`))
  /** @type {Map<string, number>} */
  const places = new Map()
  let duplicates = 0
  const rows = records.slice(isNamed ? 1 : 0).map((cells, at) => {
    const value = asShown(cells[column] ?? '')
    const row = { line: at + 1, cells, value }
    const isShifted = isNamed && column > 0 && cells.slice(first.length).some((cell) => cell.trim() !== '')
    const fault = isShifted ? /** @type {const} */ ('too_many_cells') : faultOf(value)
    if (fault !== null) return { ...row, skipped: fault }
    const known = places.get(value)
    if (known !== undefined) {
      duplicates += 1
      return { ...row, at: known }
    }
    if (places.size === MOST_VALUES) return { ...row, skipped: /** @type {const} */ ('over_limit') }
    places.set(value, places.size)
    return { ...row, at: places.size - 1 }
  })
  const skipped = rows.filter((row) => 'skipped' in row)
  return {
    header,
    rows,
    values: [...places.keys()],
    duplicates,
    skipped: skipped.length,
    overLimit: skipped.filter((row) => row.skipped === 'over_limit').length,
  }
}

/** Programs write ="00123" to keep a spreadsheet from reading a number; the value is what it shows. */
const asShown = (/** @type {string} */ cell) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell

/** @param {string} value */
function faultOf(value) {
  if (value.trim() === '') return /** @type {const} */ ('empty')
  if (!value.isWellFormed()) return /** @type {const} */ ('value_not_unicode')
  return value.length > LONGEST_VALUE && [...value].length > LONGEST_VALUE
    ? /** @type {const} */ ('value_too_long')
    : null
}
