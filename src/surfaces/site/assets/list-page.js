/**
 * The page for lists: many values, one payment, one table.
 *
 * The values are read and counted here. The terms are asked for with as many placeholders, so the values leave the page in
 * the paid request and in no other.
 */

import { folded, pretty } from './copy.js'
import { byId, element, UNTRANSLATED } from './dom.js'
import { csvOf } from './list-csv.js'
import { guessColumn, hasHeader, planList } from './list-plan.js'
import { readRecords } from './list-rows.js'
import { startSource } from './list-source.js'
import { renderTable } from './list-table.js'
import { ListFault } from './list-text.js'
import { say, show, tell } from './notice.js'
import { inDollars, inUsdc } from './payment.js'
import { startPurchases } from './purchase.js'
import { saveFile } from './save-file.js'
import { renderReceipt } from './verdict.js'

/** @import { Plan } from './list-plan.js' */
/** @import { SoldAnswer } from './purchase.js' */

/** Bytes of a request body that the service reads. */
const LARGEST_BODY = 1024 * 1024
const PLACEHOLDER = '0'
const NO_LIST = 'No values yet.'

const form = byId('list', HTMLFormElement)
const place = byId('check-list', HTMLElement)
const columns = byId('column', HTMLSelectElement)
const header = byId('header', HTMLInputElement)
const cost = byId('cost', HTMLElement)
const summary = byId('summary', HTMLElement)
const results = byId('results', HTMLElement)
const price = BigInt(place.dataset.amount ?? 0)
const purchases = startPurchases(place, (isBusy) => {
  form.inert = isBusy
  cost.inert = isBusy
})

/** @type {string[][]} */
let records = []
/** @type {Plan} */
let plan = planList([], 0, false)
/** Why there are no records. */
let noList = NO_LIST
let fileName = /** @type {string | null} */ (null)
let unsaved = false

const chosen = () => /** @type {HTMLInputElement} */ (form.querySelector('input[name=type]:checked'))
const check = () => ({
  type: chosen().value,
  headings: (chosen().dataset.headings ?? '').split(' '),
})

/** Reads the list again after its text or its type changed. */
function readColumns() {
  const column = guessColumn(records, check())
  const [first = []] = records
  header.checked = hasHeader(records, check(), column)
  columns.replaceChildren(
    ...first.map((cell, at) =>
      element('option', UNTRANSLATED, `${at + 1}: ${cell.trim().slice(0, 40) || '(empty)'}`),
    ),
  )
  columns.selectedIndex = column
  byId('columns', HTMLElement).hidden = records.length === 0
  byId('column-field', HTMLElement).hidden = first.length < 2
  readPlan()
}

function readPlan() {
  purchases.abandon()
  say('')
  show()
  plan = planList(records, Math.max(columns.selectedIndex, 0), header.checked)
  const { values, duplicates, skipped, overLimit } = plan
  if (records.length === 0) return summary.replaceChildren(noList)
  const notes = [
    duplicates > 0 ? `${count(duplicates, 'repeated row')} checked once` : '',
    skipped > overLimit ? `${count(skipped - overLimit, 'row')} left out, free` : '',
    overLimit > 0
      ? `Only the first 1,000 values fit in one payment; ${count(overLimit, 'row')} left out. The command line checks longer lists`
      : '',
  ].filter((note) => note !== '')
  summary.replaceChildren(
    element('b', {}, `${count(values.length, 'value')}: ${inDollars(String(price * BigInt(values.length)))}`),
    ...(notes.length > 0 ? [element('span', {}, `${notes.join('. ')}.`)] : []),
    ...(values.length > 0
      ? [
          element(
            'span',
            { class: 'sample', ...UNTRANSLATED },
            `First: ${values.slice(0, 3).join(' · ').slice(0, 120)}`,
          ),
        ]
      : []),
  )
}

function askForTerms() {
  const { values } = plan
  if (unsaved && !window.confirm('The results of the last list are not saved. Go on and replace them?'))
    return
  purchases.abandon()
  if (values.length === 0) return tell('bad', 'No values', 'Paste a list or choose a file first.')
  const { endpoint = '' } = chosen().dataset
  const request = { endpoint, body: JSON.stringify({ values }) }
  if (new TextEncoder().encode(request.body).length > LARGEST_BODY) {
    return tell('bad', 'List too large', 'The values together are larger than 1 MB. Check them in two parts.')
  }
  show()
  const asked = { plan, type: chosen().value, name: fileName }
  void purchases.begin({
    question: { endpoint, body: JSON.stringify({ values: values.map(() => PLACEHOLDER) }) },
    request,
    most: price * BigInt(values.length),
    price: inUsdc(String(price)),
    showSold: (answer, _paid, amount) => showSold(answer, { ...asked, amount }),
  })
}

/**
 * @param {SoldAnswer} answer
 * @param {{ plan: Plan, type: string, name: string | null, amount: string }} sale
 */
function showSold({ result, receipt, replayed }, { plan, type, name, amount }) {
  const base = (name ?? 'list').replace(/\.[^.]*$/, '')
  const title = element(
    'h2',
    { tabindex: '-1', id: 'results-title' },
    `${result.valid.toLocaleString('en-US')} valid, ${result.invalid.toLocaleString('en-US')} invalid`,
  )
  const proof = renderReceipt(receipt, { amount, replayed, sandbox: purchases.sandbox })
  proof.append(folded('The receipt as JSON', pretty(receipt)))
  show()
  results.replaceChildren(
    element(
      'div',
      { class: 'results-head' },
      title,
      element(
        'div',
        { class: 'actions' },
        saver('Save as CSV', 'primary', () => {
          unsaved = false
          saveFile(`${base}-checked.csv`, 'text/csv', csvOf(plan, result.results))
        }),
        saver('Save with the receipt', 'secondary', () => {
          const request = plan.values.map((value) => ({ type, value }))
          saveFile(`${base}-receipt.json`, 'application/json', JSON.stringify({ receipt, request, result }))
        }),
      ),
    ),
    renderTable(plan, type, result.results),
    proof,
  )
  unsaved = true
  say(`Checked. Paid ${inUsdc(amount)} USDC.`, true)
  title.focus()
}

/**
 * @param {string} words
 * @param {'primary' | 'secondary'} look
 * @param {() => void} act
 */
function saver(words, look, act) {
  const made = element('button', { type: 'button', class: look }, words)
  made.addEventListener('click', act)
  return made
}

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

startSource({
  change(text, name) {
    noList = NO_LIST
    try {
      records = readRecords(text).records
    } catch (error) {
      if (!(error instanceof ListFault)) throw error
      records = []
      // In the summary, which leaves the focus in the box.
      noList = error.message
    }
    fileName = name
    readColumns()
  },
  fault: (words) => tell('bad', 'Not a list', words),
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  askForTerms()
})
for (const choice of form.querySelectorAll('input[name=type]')) choice.addEventListener('input', readColumns)
columns.addEventListener('input', () => {
  header.checked = hasHeader(records, check(), columns.selectedIndex)
  readPlan()
})
header.addEventListener('input', readPlan)
window.addEventListener('beforeunload', (event) => {
  if (purchases.isUnanswered() || unsaved) event.preventDefault()
})
summary.append(NO_LIST)
form.hidden = false
cost.hidden = false
