/** The rows of a checked list, with filters by outcome, by code and by text. */
import { element, UNTRANSLATED } from './dom.js'
import { listFilters, NAMES } from './list-filters.js'

/** @import { Plan, Row } from './list-plan.js' */
/** @import { Outcome } from './list-filters.js' */
/**
 * @typedef {{ line: number, value: string, outcome: Outcome, code: string, reason: string, normalized: string, text: string,
 *   place: HTMLTableRowElement | null }} CheckedRow `text` is what a search looks through; `place` is null until the row
 *   is on the page
 */

/** Rows made in one go, so that the page answers in between. */
const SLICE = 50

/** @type {Readonly<Record<string, string>>} */
const SKIPPED = {
  empty: 'Empty.',
  value_too_long: 'Longer than 512 characters.',
  value_not_unicode: 'Not valid Unicode.',
  too_many_cells: 'More cells than headings: the value may stand under another one.',
  over_limit: 'Above the 1,000 values of one payment.',
}

/**
 * @param {Plan} plan
 * @param {string} type
 * @param {readonly any[]} verdicts in the order of the plan's values
 */
export function renderTable(plan, type, verdicts) {
  const rows = plan.rows.map((row) => checkedRow(row, 'at' in row ? verdicts[row.at] : null))
  const body = document.createElement('tbody')
  const count = element('p', { class: 'hint', role: 'status' })
  const { controls, fits } = listFilters(rows, () => {
    let visible = 0
    for (const row of rows) {
      const isShown = fits(row)
      if (isShown) visible += 1
      if (row.place !== null) row.place.hidden = !isShown
    }
    count.replaceChildren(`${inWords(visible)} of ${inWords(rows.length)} rows`)
  })
  count.append(`${inWords(rows.length)} rows`)
  const fill = (from = 0) => {
    for (const row of rows.slice(from, from + SLICE)) {
      row.place = placeOf(row, type)
      row.place.hidden = !fits(row)
      body.append(row.place)
    }
    if (from + SLICE < rows.length) setTimeout(fill, 0, from + SLICE)
  }
  fill()
  return element('div', { class: 'checked-list' }, controls, count, scrolling(body))
}

/** @param {HTMLElement} body */
const scrolling = (body) =>
  element(
    'div',
    { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Checked rows' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['Row', 'Value', 'Result', 'Code', 'Reason', 'Normalized'].map((name) =>
            element('th', { scope: 'col' }, name),
          ),
        ),
      ),
      body,
    ),
  )

/**
 * @param {Row} row
 * @param {any} verdict null if the row was not sent
 * @returns {CheckedRow}
 */
function checkedRow(row, verdict) {
  const { line, value, cells } = row
  const code = 'at' in row ? verdict.details.code : row.skipped
  return {
    line,
    value,
    code,
    outcome: verdict === null ? 'skipped' : verdict.valid ? 'valid' : 'invalid',
    reason: 'at' in row ? verdict.reason : (SKIPPED[row.skipped] ?? ''),
    normalized: verdict?.normalized ?? '',
    text: `${cells.join('\n')}\n${code}`.toLowerCase(),
    place: null,
  }
}

/**
 * @param {CheckedRow} row
 * @param {string} type
 */
function placeOf({ line, value, outcome, code, reason, normalized }, type) {
  const place = document.createElement('tr')
  const mark = element('span', { class: `mark ${outcome}` }, NAMES[outcome])
  const explained =
    outcome === 'skipped'
      ? code
      : element('a', { href: `/checks/${type}#code-${code}`, target: '_blank' }, code)
  place.append(
    element('td', {}, String(line)),
    element('td', UNTRANSLATED, value),
    ...[mark, explained, reason, normalized].map((held) => element('td', {}, held)),
  )
  return place
}

/** @param {number} count */
const inWords = (count) => count.toLocaleString('en-US')
