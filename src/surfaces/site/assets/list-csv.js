/** The checked list as CSV that a spreadsheet opens without running anything in it. */

/** @import { Plan } from './list-plan.js' */

const RESULT_COLUMNS = ['valid', 'code', 'reason', 'normalized']

/** A spreadsheet reads a cell with one of these first as a formula, also behind spaces (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

/**
 * All columns of the list, then the result of each row; UTF-8 with a byte order mark, as Excel needs it.
 *
 * @param {Plan} plan
 * @param {readonly any[]} verdicts in the order of the plan's values
 */
export function csvOf({ header, rows }, verdicts) {
  const width = Math.max(header.length, ...rows.map(({ cells }) => cells.length))
  const padded = (/** @type {readonly string[]} */ cells) =>
    Array.from({ length: width }, (_, at) => cells[at] ?? '')
  const lines = rows.map((row) => [
    ...padded(row.cells),
    ...('at' in row ? resultOf(verdicts[row.at]) : ['', row.skipped, '', '']),
  ])
  const text = [[...padded(header), ...RESULT_COLUMNS], ...lines].map((cells) => cells.map(safe).join(','))
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
