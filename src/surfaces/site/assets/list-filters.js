/** Filters of a checked list: by outcome, by finding, by text. */
import { element } from './dom.js'

/** @typedef {'invalid' | 'valid' | 'skipped'} Outcome */
/**
 * @typedef {{ line: number, name: string, value: string, outcome: Outcome, code: string, found: string, reason: string,
 *   suggested: string, normalized: string, text: string }} CheckedRow `line` of the file or sheet; `found` is the code in
 *   words; `text` is what a search looks through
 */

/** @type {Readonly<Record<Outcome, string>>} */
export const NAMES = { invalid: 'Not valid', valid: 'Valid', skipped: 'Left out' }

/**
 * @param {readonly CheckedRow[]} rows
 * @param {() => void} apply after a change
 */
export function listFilters(rows, apply) {
  const group = element('fieldset', { class: 'outcomes' }, element('legend', {}, 'Show'))
  group.append(chip('', 'All', rows.length))
  for (const [outcome, name] of Object.entries(NAMES)) {
    const held = rows.filter((row) => row.outcome === outcome).length
    if (held > 0) group.append(chip(outcome, name, held))
  }
  const codes = document.createElement('select')
  codes.append(
    element('option', { value: '' }, 'Every finding'),
    ...[...new Map(rows.map(({ code, found }) => [found, code]))]
      .sort()
      .map(([found, code]) => element('option', { value: code }, found)),
  )
  const words = document.createElement('input')
  words.type = 'search'
  words.autocomplete = 'off'
  words.spellcheck = false
  const controls = element(
    'div',
    { class: 'filters' },
    group,
    element('label', { class: 'field' }, 'Finding', codes),
    element('label', { class: 'field' }, 'Search', words),
  )
  const read = () => ({
    outcome: /** @type {HTMLInputElement} */ (group.querySelector('input:checked')).value,
    code: codes.value,
    sought: words.value.trim().toLowerCase(),
  })
  let chosen = read()
  controls.addEventListener('input', () => {
    chosen = read()
    apply()
  })
  return {
    controls,
    /** @param {CheckedRow} row */
    fits: ({ outcome, code, text }) =>
      (chosen.outcome === '' || chosen.outcome === outcome) &&
      (chosen.code === '' || chosen.code === code) &&
      (chosen.sought === '' || text.includes(chosen.sought)),
  }
}

/**
 * @param {string} value
 * @param {string} name
 * @param {number} rows
 */
function chip(value, name, rows) {
  const input = element('input', { type: 'radio', name: 'outcome', value })
  if (value === '') input.setAttribute('checked', '')
  const words = element('span', {}, `${name} `, element('b', {}, rows.toLocaleString('en-US')))
  return element('label', { class: 'chip' }, input, words)
}
