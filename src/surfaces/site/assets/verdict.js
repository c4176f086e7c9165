/** A verdict and its receipt for people. */
import { chain, definitions, element } from './dom.js'
import { inUsdc } from './payment.js'

/** @type {Readonly<Record<string, string>>} */
const LAYERS = {
  format: 'Format',
  checksum: 'Checksum',
  nationalCheck: 'National check digits',
  registry: 'Register',
}
/** Members of the details that are shown elsewhere on the card. */
const SHOWN = ['code', 'ruleset', 'normalization', 'layers', 'notChecked', 'warnings', 'hint', 'country']
/** @type {Readonly<Record<string, string>>} */
const NAMES = {
  countryName: 'Country',
  sepa: 'SEPA',
  qrIban: 'QR-IBAN',
  euMember: 'EU member',
  idn: 'IDN',
  mfSchema: 'Ministry schema',
  position: 'Offset from 0',
}

/** @param {any} verdict */
export function renderVerdict({ type, valid, normalized, reason, details }) {
  const heading = element('h3', { tabindex: '-1', id: 'verdict-title' }, valid ? 'Valid' : 'Not valid')
  const parts = [
    heading,
    ...(normalized === null ? [] : [element('p', { class: 'masked' }, normalized)]),
    element('p', {}, reason),
    layersOf(details.layers),
    ...hintOf(details),
    ...warningsOf(details.warnings),
    definitions([
      ['Code', codeLink(type, details.code)],
      ...Object.entries(details)
        .filter(
          ([name, held]) => !SHOWN.includes(name) && !(name === 'nationalCheck' && typeof held === 'string'),
        )
        .map(
          ([name, held]) => /** @type {[string, string]} */ ([NAMES[name] ?? inWords(name), inText(held)]),
        ),
      ['Normalized', inText(details.normalization) || 'nothing changed'],
      ['Not checked', details.notChecked.join(', ')],
      ['Ruleset', details.ruleset],
    ]),
  ]
  return element(
    'section',
    { class: `verdict-card ${valid ? 'is-valid' : 'is-invalid'}`, 'aria-labelledby': 'verdict-title' },
    ...parts,
  )
}

/**
 * @param {any} receipt
 * @param {{ amount: string, replayed: boolean }} facts
 */
export function renderReceipt(receipt, { amount, replayed }) {
  const transaction = String(receipt?.transaction ?? 'none')
  const { explorer, isRealMoney } = chain()
  const shown =
    explorer === null
      ? element('code', { id: 'transaction' }, transaction)
      : element(
          'a',
          { href: `${explorer}/tx/${transaction}`, rel: 'noreferrer' },
          element('code', { id: 'transaction' }, transaction),
        )
  return element(
    'section',
    { class: 'receipt', 'aria-labelledby': 'receipt-title' },
    element('h3', { id: 'receipt-title' }, 'Receipt'),
    definitions([
      ['Paid', `${inUsdc(amount)} USDC${isRealMoney ? '' : ' of test money'}`],
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
  )
}

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

/** @param {any} details */
const hintOf = ({ hint }) =>
  hint === undefined
    ? []
    : [element('p', { class: 'note' }, element('b', {}, 'Hint '), inWords(String(hint)))]

/** @param {readonly string[]} warnings */
const warningsOf = (warnings) =>
  warnings.map((each) => element('p', { class: 'note' }, element('b', {}, 'Warning '), inWords(each)))

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
 * A member of the details on one line.
 *
 * @param {any} held
 * @returns {string}
 */
function inText(held) {
  if (held === true) return 'yes'
  if (held === false) return 'no'
  if (Array.isArray(held)) return held.map(inText).join(', ')
  if (typeof held !== 'object' || held === null) return String(held).replaceAll('_', ' ')
  if ('start' in held) return `${held.name} ${held.start} to ${held.end}`
  return Object.entries(held)
    .map(([name, each]) => `${inWords(name).toLowerCase()} ${inText(each)}`)
    .join(', ')
}
