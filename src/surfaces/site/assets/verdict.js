/** A verdict and its receipt for people, and below each its JSON as a program would see it. */
import { folded } from './copy.js'
import { byId, chain, definitions, element } from './dom.js'
import { inDollars } from './payment.js'

/** @type {Readonly<Record<string, string>>} */
const LAYERS = {
  format: 'Format',
  checksum: 'Checksum',
  nationalCheck: 'National check digits',
  registry: 'Register',
}
/** Members of the details that the list of the others leaves out. */
const SHOWN = ['code', 'ruleset', 'normalization', 'layers', 'notChecked', 'warnings', 'hint', 'country']

/**
 * Names of members that are not their own words, as the page has them of the checks.
 *
 * @returns {Readonly<Record<string, string>>}
 */
const factNames = () => JSON.parse(byId('try', HTMLElement).dataset.facts ?? '{}')

/** @param {any} verdict */
export function renderVerdict(verdict) {
  const { type, valid, normalized, reason, details } = verdict
  const names = factNames()
  const parts = [
    element('h3', { tabindex: '-1', id: 'verdict-title' }, valid ? 'Valid' : 'Not valid'),
    ...(normalized === null ? [] : [element('p', { class: 'masked' }, normalized)]),
    element('p', {}, reason),
    layersOf(details.layers),
    ...(details.hint === undefined ? [] : [note('Hint', details.hint)]),
    ...details.warnings.map((/** @type {string} */ warning) => note('Warning', warning)),
    definitions([
      ['Code', codeLink(type, details.code)],
      ...Object.entries(details)
        .filter(
          ([name, held]) => !SHOWN.includes(name) && !(name === 'nationalCheck' && typeof held === 'string'),
        )
        .map(([name, held]) => /** @type {[string, string]} */ ([names[name] ?? inWords(name), inText(held)]))
        .filter(([, text]) => text !== ''),
      ['Normalized', inText(details.normalization) || 'nothing changed'],
      ['Not checked', details.notChecked.join(', ')],
      ['Ruleset', details.ruleset],
    ]),
    asJson('The answer as JSON', verdict),
  ]
  return element(
    'section',
    { class: `verdict-card ${valid ? 'is-valid' : 'is-invalid'}`, 'aria-labelledby': 'verdict-title' },
    ...parts,
  )
}

/**
 * @param {import('./purchase.js').SoldAnswer} answer
 * @param {string} amount atomic units
 */
export function renderReceipt({ receipt, replayed }, amount) {
  const transaction = String(receipt?.transaction ?? 'none')
  const { explorer, isRealMoney } = chain()
  const code = element('code', { class: 'transaction' }, transaction)
  const shown =
    explorer === null
      ? code
      : element('a', { href: `${explorer}/tx/${transaction}`, rel: 'noreferrer' }, code)
  return element(
    'section',
    { class: 'receipt', 'aria-label': 'Receipt' },
    element('h3', {}, 'Receipt'),
    definitions([
      ['Paid', `${inDollars(amount)} in USDC${isRealMoney ? '' : ', test money'}`],
      ['By', element('code', {}, String(receipt?.payer ?? ''))],
      ['Transaction', shown],
    ]),
    ...(replayed
      ? [
          element(
            'p',
            { class: 'hint' },
            'Answered from the payment already made: nothing was charged a second time.',
          ),
        ]
      : []),
    asJson('The receipt as JSON', receipt),
  )
}

/**
 * @param {string} title
 * @param {unknown} value
 */
const asJson = (title, value) => folded(title, JSON.stringify(value, null, 2))

/** @param {Record<string, string>} layers */
const layersOf = (layers) =>
  element(
    'ul',
    { class: 'layers' },
    ...Object.entries(layers).map(([name, state]) =>
      element(
        'li',
        { class: state },
        element('span', {}, LAYERS[name] ?? name),
        element('b', {}, inWords(state)),
      ),
    ),
  )

/**
 * @param {string} kind
 * @param {string} code
 */
const note = (kind, code) => element('p', { class: 'note' }, element('b', {}, `${kind} `), inWords(code))

/**
 * @param {string} type
 * @param {string} code
 */
const codeLink = (type, code) =>
  element('a', { href: `/checks/${type}#code-${code}` }, element('code', {}, code))

/** @param {string} name "country_missing" or "qrIban" as people write it */
function inWords(name) {
  const spaced = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, low, high) => `${low} ${high.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/**
 * @param {any} held
 * @returns {string}
 */
function inText(held) {
  if (typeof held === 'boolean') return held ? 'yes' : 'no'
  if (Array.isArray(held)) return held.map(inText).join(', ')
  if (typeof held !== 'object' || held === null) return String(held).replaceAll('_', ' ')
  if ('start' in held) return `${held.name} ${held.start} to ${held.end}`
  return Object.entries(held)
    .map(([name, each]) => `${inWords(name).toLowerCase()} ${inText(each)}`)
    .join(', ')
}
