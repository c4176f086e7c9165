/** The table of a checked list, below a chart of its codes and filters. */
import { element, UNTRANSLATED } from './dom.js'
import { listFilters, NAMES } from './list-filters.js'
import { inSlices } from './list-plan.js'

/** @import { Plan, PlannedRow } from './list-plan.js' */
/** @import { Outcome } from './list-filters.js' */
/**
 * @typedef {{ line: number, value: string, outcome: Outcome, code: string, reason: string, suggested: string,
 *   normalized: string, text: string }} CheckedRow `text` is what a search looks through
 * @typedef {{ valid: boolean | null, code: string, reason?: string | undefined, normalized?: string | null,
 *   hint?: string | null, place?: readonly number[], suggested?: string | null,
 *   warnings?: readonly string[] }} Told a result in words
 */

/** Rows made before the page is given a turn, and rows shown in all. */
const SLICE = 50
const MOST_SHOWN = 1000
const MOST_CODES = 12

/**
 * @param {Plan} plan
 * @param {string} type
 * @param {(row: PlannedRow) => Told} tell
 */
export async function renderTable(plan, type, tell) {
  /** @type {CheckedRow[]} */
  const rows = []
  for await (const slice of inSlices(plan.rows))
    for (const row of slice) rows.push(checkedRow(row, rows.length, plan.list.columns[0].index, tell(row)))
  const table = element('table', {})
  const count = element('p', { class: 'hint', role: 'status' })
  let turn = 0
  const { controls, fits } = listFilters(rows, () => fill())
  async function fill() {
    turn += 1
    const mine = turn
    const visible = rows.filter(fits)
    const shown = visible.length > MOST_SHOWN ? `, the first ${inWords(MOST_SHOWN)} are shown` : ''
    const words = visible.length === rows.length ? '' : `${inWords(visible.length)} of `
    count.replaceChildren(`${words}${inWords(rows.length)} rows${shown}`)
    table.replaceChildren(head())
    for await (const slice of inSlices(visible.slice(0, MOST_SHOWN), SLICE)) {
      if (mine !== turn) return
      // A `tbody` for each slice, because the style leaves those out of sight without layout.
      table.append(element('tbody', {}, ...slice.map((row) => placeOf(row, type))))
    }
  }
  void fill()
  return element('div', { class: 'checked-list' }, chartOf(rows), controls, count, scrolling(table))
}

/**
 * A bar for each code: red if it says that a row is not valid, grey otherwise.
 *
 * @param {readonly CheckedRow[]} rows
 */
function chartOf(rows) {
  /** @type {Map<string, { held: number, outcome: Outcome }>} */
  const counts = new Map()
  for (const { code, outcome } of rows) counts.set(code, { outcome, held: (counts.get(code)?.held ?? 0) + 1 })
  const largest = [...counts].sort(([, a], [, b]) => b.held - a.held).slice(0, MOST_CODES)
  return element(
    'ul',
    { class: 'code-chart', 'aria-label': 'Rows by code' },
    ...largest.map(([code, { held, outcome }]) => {
      const bar = element('span', { class: `bar ${outcome}`, 'aria-hidden': 'true' })
      bar.style.width = `${(100 * held) / rows.length}%`
      return element('li', {}, code, element('span', {}, bar), inWords(held))
    }),
  )
}

/** @param {HTMLElement} table */
const scrolling = (table) =>
  element('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Checked rows' }, table)

const head = () => {
  const names = ['Row', 'Value', 'Result', 'Code', 'Reason', 'Normalized']
  return element(
    'thead',
    {},
    element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))),
  )
}

/**
 * @param {PlannedRow} row
 * @param {number} at
 * @param {number} column
 * @param {Told} told
 * @returns {CheckedRow}
 */
function checkedRow(
  { cells },
  at,
  column,
  { valid, code, reason = '', normalized, hint, place = [], suggested, warnings = [] },
) {
  const advice = [
    reason,
    ...(place.length === 0 ? [] : [`Look at character ${place.join(', ')}.`]),
    ...(hint ? [hint] : []),
    ...warnings,
  ]
  return {
    line: at + 1,
    value: cells[column] ?? '',
    code,
    outcome: valid === null ? 'skipped' : valid ? 'valid' : 'invalid',
    reason: advice.join(' '),
    suggested: suggested ?? '',
    normalized: normalized ?? '',
    text: `${cells.join('\n')}\n${code}`.toLowerCase(),
  }
}

/**
 * @param {CheckedRow} row
 * @param {string} type
 */
function placeOf({ line, value, outcome, code, reason, suggested, normalized }, type) {
  const place = document.createElement('tr')
  const mark = element('span', { class: `mark ${outcome}` }, NAMES[outcome])
  const explained =
    outcome === 'skipped'
      ? code
      : element('a', { href: `/checks/${type}#code-${code}`, target: '_blank' }, code)
  place.append(
    element('td', {}, String(line)),
    element('td', UNTRANSLATED, value),
    ...[mark, explained].map((held) => element('td', {}, held)),
    element(
      'td',
      {},
      reason,
      ...(suggested === '' ? [] : [' Perhaps ', element('b', UNTRANSLATED, suggested)]),
    ),
    element('td', {}, normalized),
  )
  return place
}

/** @param {number} count */
const inWords = (count) => count.toLocaleString('en-US')
