/** The table of a checked list, wrong rows first, below a chart of what was found and filters. */
import { element, UNTRANSLATED } from './dom.js'
import { listFilters, NAMES } from './list-filters.js'
import { inSlices } from './list-plan.js'

/** @import { Plan, PlannedRow } from './list-plan.js' */
/** @import { CheckedRow, Outcome } from './list-filters.js' */
/**
 * @typedef {{ valid: boolean | null, code: string, reason?: string | undefined, normalized?: string | null,
 *   hint?: string | null, place?: readonly number[], suggested?: string | null,
 *   warnings?: readonly string[], bank?: string | null }} Told a result in words
 * @typedef {{ type: string, named: number | null, codeInWords: (code: string) => string,
 *   tell: (row: PlannedRow) => Told }} TableOptions `named`: the column by which a person knows a row
 */

/** Rows made before the page is given a turn, and rows shown in all. */
const SLICE = 50
const MOST_SHOWN = 1000
const MOST_CODES = 12

/** What a person must act on comes first. */
const ORDER = { invalid: 0, skipped: 1, valid: 2 }

/**
 * @param {Plan} plan
 * @param {TableOptions} options
 */
export async function renderTable(plan, options) {
  const { type, named } = options
  const { columns, header, isNamed } = plan.list
  /** @type {CheckedRow[]} */
  const rows = []
  for await (const slice of inSlices(plan.rows))
    for (const row of slice) rows.push(checkedRow(row, columns[0].index, options))
  rows.sort((a, b) => ORDER[a.outcome] - ORDER[b.outcome] || a.line - b.line)
  const name = named === null ? null : (isNamed && header[named]?.trim()) || 'Beside it'
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
    table.replaceChildren(head(name))
    for await (const slice of inSlices(visible.slice(0, MOST_SHOWN), SLICE)) {
      if (mine !== turn) return
      // A `tbody` for each slice, because the style leaves those out of sight without layout.
      table.append(element('tbody', {}, ...slice.map((row) => placeOf(row, type, name !== null))))
    }
  }
  void fill()
  return element(
    'div',
    { class: name === null ? 'checked-list' : 'checked-list named' },
    chartOf(rows),
    controls,
    count,
    scrolling(table),
  )
}

/**
 * A bar for each finding: red if a row with it is not valid, grey otherwise.
 *
 * @param {readonly CheckedRow[]} rows
 */
function chartOf(rows) {
  /** @type {Map<string, { held: number, outcome: Outcome }>} */
  const counts = new Map()
  for (const { found, outcome } of rows)
    counts.set(found, { outcome, held: (counts.get(found)?.held ?? 0) + 1 })
  const largest = [...counts].sort(([, a], [, b]) => b.held - a.held).slice(0, MOST_CODES)
  return element(
    'ul',
    { class: 'code-chart', 'aria-label': 'Rows by finding' },
    ...largest.map(([found, { held, outcome }]) => {
      const bar = element('span', { class: `bar ${outcome}`, 'aria-hidden': 'true' })
      bar.style.width = `${(100 * held) / rows.length}%`
      return element('li', {}, found, element('span', {}, bar), inWords(held))
    }),
  )
}

/** @param {HTMLElement} table */
const scrolling = (table) =>
  element('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Checked rows' }, table)

const head = (/** @type {string | null} */ name) => {
  const names = [
    'Row',
    ...(name === null ? [] : [name]),
    'Value',
    'Result',
    'Finding',
    'Reason',
    'Normalized',
  ]
  return element(
    'thead',
    {},
    element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))),
  )
}

/**
 * @param {PlannedRow} row
 * @param {number} column
 * @param {TableOptions} options
 * @returns {CheckedRow}
 */
function checkedRow(row, column, { named, codeInWords, tell }) {
  const { valid, code, reason = '', normalized, hint, place = [], suggested, warnings = [], bank } = tell(row)
  const { cells, line } = row
  const found = codeInWords(code)
  const advice = [
    reason,
    ...(place.length === 0 ? [] : [`Look at character ${place.join(', ')}.`]),
    ...(hint ? [hint] : []),
    ...warnings,
    ...(bank ? [`Bank: ${bank}.`] : []),
  ]
  return {
    ...{ line, code, found },
    name: named === null ? '' : (cells[named] ?? ''),
    value: cells[column] ?? '',
    outcome: valid === null ? 'skipped' : valid ? 'valid' : 'invalid',
    reason: advice.join(' '),
    suggested: suggested ?? '',
    normalized: normalized ?? '',
    text: `${cells.join('\n')}\n${code}\n${found}`.toLowerCase(),
  }
}

/**
 * @param {CheckedRow} row
 * @param {string} type
 * @param {boolean} hasName
 */
function placeOf({ line, name, value, outcome, code, found, reason, suggested, normalized }, type, hasName) {
  const place = document.createElement('tr')
  const mark = element('span', { class: `mark ${outcome}` }, NAMES[outcome])
  const explained =
    outcome === 'skipped'
      ? found
      : element('a', { href: `/checks/${type}#code-${code}`, target: '_blank' }, found)
  place.append(
    element('td', {}, String(line)),
    ...(hasName ? [element('td', UNTRANSLATED, name)] : []),
    element('td', { class: 'value', ...UNTRANSLATED }, value),
    ...[mark, explained].map((held) => element('td', {}, held)),
    element(
      'td',
      {},
      reason,
      ...(suggested === '' ? [] : [' Perhaps ', element('b', UNTRANSLATED, suggested)]),
    ),
    element('td', { class: 'value' }, normalized),
  )
  return place
}

/** @param {number} count */
const inWords = (count) => count.toLocaleString('en-US')
