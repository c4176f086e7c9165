/**
 * The page for lists: many values, one payment, one table.
 *
 * The values are read and counted here. The terms are asked for with as many placeholders, so the values leave the page in
 * the paid request and in no other.
 */
import { byId, element } from './dom.js'
import { csvOf } from './list-csv.js'
import { guessColumn, hasHeader, planList } from './list-plan.js'
import { readRecords } from './list-rows.js'
import { startSource } from './list-source.js'
import { renderTable } from './list-table.js'
import { say, show, tell, tellProblem } from './notice.js'
import { offer } from './offer.js'
import { inDollars, inUsdc, send } from './payment.js'
import { deliver, signPayment } from './purchase.js'
import { folded, pretty } from './raw.js'
import { saveFile } from './save-file.js'
import { renderReceipt } from './verdict.js'
import { WalletFault, watchWallets } from './wallet.js'

/** @import { Plan } from './list-plan.js' */
/** @import { Answer, Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */

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
const sandbox = place.dataset.sandbox === 'true'
const price = BigInt(place.dataset.amount ?? 0)
// A signature for the sandbox is also good on the real chain, so no real wallet is asked for one there.
const wallets = watchWallets(sandbox ? 'local.sandbox' : undefined)

/** @type {string[][]} */
let records = []
/** @type {Plan} */
let plan = planList([], 0, false)
let fileName = /** @type {string | null} */ (null)
/** Counts the attempts, so that nothing of an abandoned one is shown or sent. */
let turn = 0
let unanswered = false
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
    ...first.map((cell, at) => element('option', {}, `${at + 1}: ${cell.trim().slice(0, 40) || '(empty)'}`)),
  )
  columns.selectedIndex = column
  byId('columns', HTMLElement).hidden = records.length === 0
  byId('column-field', HTMLElement).hidden = first.length < 2
  readPlan()
}

function readPlan() {
  turn += 1
  say('')
  show()
  plan = planList(records, Math.max(columns.selectedIndex, 0), header.checked)
  const { values, duplicates, skipped, overLimit } = plan
  if (records.length === 0) return summary.replaceChildren(NO_LIST)
  const notes = [
    duplicates > 0 ? `${count(duplicates, 'repeated row')} checked once` : '',
    skipped > overLimit ? `${count(skipped - overLimit, 'row')} left out, free` : '',
    overLimit > 0
      ? `${count(overLimit, 'row')} above the 1,000 values of one payment left out; the command line checks longer lists`
      : '',
  ].filter((note) => note !== '')
  summary.replaceChildren(
    element('b', {}, `${count(values.length, 'value')}: ${inDollars(String(price * BigInt(values.length)))}`),
    ...(notes.length > 0 ? [element('span', {}, `${notes.join('. ')}.`)] : []),
    ...(values.length > 0
      ? [element('span', { class: 'sample' }, `First: ${values.slice(0, 3).join(' · ').slice(0, 120)}`)]
      : []),
  )
}

async function askForTerms() {
  turn += 1
  const mine = turn
  const { values } = plan
  if (values.length === 0) return tell('bad', 'No values', 'Paste a list or choose a file first.')
  const { endpoint = '' } = chosen().dataset
  const request = { endpoint, body: JSON.stringify({ values }) }
  if (new TextEncoder().encode(request.body).length > LARGEST_BODY) {
    return tell('bad', 'List too large', 'The values together are larger than 1 MB. Check them in two parts.')
  }
  show()
  say('Asking for the terms…')
  const answer = await send({ endpoint, body: JSON.stringify({ values: values.map(() => PLACEHOLDER) }) })
  if (mine !== turn) return
  if (answer.kind === 'unpaid') {
    const { quote } = answer
    offer(quote, {
      most: price * BigInt(values.length),
      price: inUsdc(String(price)),
      sandbox,
      wallets: wallets(),
      accept: (wallet, pay) => void purchase(wallet, pay, quote, request),
    })
  } else if (answer.kind !== 'sold' && answer.problem !== null) tellProblem(answer.problem)
  else tell('bad', 'No answer', 'The service could not be reached. Nothing was signed.')
}

/**
 * @param {Wallet} wallet
 * @param {HTMLElement} pay
 * @param {Quote} quote
 * @param {Request} request
 */
async function purchase(wallet, pay, quote, request) {
  const mine = turn
  const sold = { plan, type: chosen().value, name: fileName }
  pay.setAttribute('aria-disabled', 'true')
  try {
    const paid = await signPayment(wallet, quote, request)
    if (mine !== turn) return
    setBusy(true)
    await deliver(paid, (answer) => showSold(answer, { ...sold, amount: quote.terms.amount }))
  } catch (error) {
    if (!(error instanceof WalletFault)) throw error
    if (mine === turn) say(error.message)
  } finally {
    setBusy(false)
    pay.removeAttribute('aria-disabled')
  }
}

/**
 * While a paid request is unanswered, nothing else is begun.
 *
 * @param {boolean} isBusy
 */
function setBusy(isBusy) {
  unanswered = isBusy
  form.inert = isBusy
  cost.inert = isBusy
}

/**
 * @param {Extract<Answer, { kind: 'sold' }>} answer
 * @param {{ plan: Plan, type: string, name: string | null, amount: string }} sale
 */
function showSold({ result, receipt, replayed }, { plan, type, name, amount }) {
  const base = (name ?? 'list').replace(/\.[^.]*$/, '')
  const title = element(
    'h2',
    { tabindex: '-1', id: 'results-title' },
    `${count(result.valid, 'value')} valid, ${result.invalid.toLocaleString('en-US')} not`,
  )
  const proof = renderReceipt(receipt, { amount, replayed, sandbox })
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
    records = readRecords(text).records
    fileName = name
    readColumns()
  },
  fault: (words) => tell('bad', 'Not a list', words),
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void askForTerms()
})
for (const choice of form.querySelectorAll('input[name=type]')) choice.addEventListener('input', readColumns)
columns.addEventListener('input', () => {
  header.checked = hasHeader(records, check(), columns.selectedIndex)
  readPlan()
})
header.addEventListener('input', readPlan)
window.addEventListener('beforeunload', (event) => {
  if (unanswered || unsaved) event.preventDefault()
})
summary.append(NO_LIST)
form.hidden = false
cost.hidden = false
