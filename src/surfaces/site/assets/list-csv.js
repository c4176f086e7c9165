/** The checked list as CSV that a spreadsheet opens without running anything in it. */

/** @import { Plan } from './list-plan.js' */

const RESULT_NAMES = ['valid', 'code', 'reason', 'normalized']

/**
 * None has a name that the list has, such as the code of a customer.
 *
 * @param {readonly string[]} header
 */
const resultColumns = (header) =>
  RESULT_NAMES.map((name) => {
    let free = name
    for (let number = 2; header.includes(free); number += 1) free = `${name}_${number}`
    return free
  })

/** A spreadsheet reads a cell with one of these first as a formula, also behind spaces (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

/**
 * All columns of the list, then the result of each row; UTF-8 with a byte order mark, as Excel needs it.
 *
 * @param {Plan} plan
 * @param {readonly any[]} verdicts in the order of the plan's values
 */
export function csvOf({ header, rows }, verdicts) {
  // Not spread into one call: its arguments are bounded, and a file may have half a million rows.
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length)
  const padded = (/** @type {readonly string[]} */ cells) =>
    Array.from({ length: width }, (_, at) => cells[at] ?? '')
  const lines = rows.map((row) => [
    ...padded(row.cells),
    ...('at' in row ? resultOf(verdicts[row.at]) : ['', row.skipped, '', '']),
  ])
  const text = [[...padded(header), ...resultColumns(header)], ...lines].map((cells) =>
    cells.map(safe).join(','),
  )
  return `\ufeff${text.join('\r\n')}\r\n`
}

/** @param {any} verdict */
const resultOf = ({ valid, reason, normalized, details }) => [
  String(valid),
  details.code,
  reason,
  normalized ?? '',
]

/** @param {string} cell */
function safe(cell) {
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
