/**
 * The "try it" panel: ask for the terms, sign them, send the request again with the payment, show what came back.
 *
 * What was signed is kept until it is answered. A lost connection or an answer in doubt sends the very same request
 * again; only a person signs anew.
 */
import { byId, definitions, element } from './dom.js'
import { authorize, inUsdc, paymentHeader, send, typedDataOf } from './payment.js'
import { renderReceipt, renderVerdict } from './verdict.js'
import { connect, findWallets, signTyped, WalletFault } from './wallet.js'

/** @typedef {import('./payment.js').Quote} Quote */
/** @typedef {import('./payment.js').Answer} Answer */

/** How often a paid request is repeated by itself before a person is asked. */
const REPEATS = 6

const panel = byId('try', HTMLElement)
const form = byId('panel', HTMLFormElement)
const value = byId('value', HTMLInputElement)
const progress = byId('progress', HTMLElement)
const outcome = byId('outcome', HTMLElement)
const sandbox = panel.dataset.sandbox === 'true'

/** Counts what the person has begun, so that an answer to something given up is not shown. */
let turn = 0
/** True from the signature until an answer: leaving the page now may lose an answer that was paid for. */
let unanswered = false

const chosen = () => {
  const input = form.querySelector('input[name=type]:checked')
  if (!(input instanceof HTMLInputElement)) throw new Error('no type')
  return input
}

/** @param {string} words */
const say = (words) => progress.replaceChildren(words)

/**
 * @param {string} kind
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} further
 */
function tell(kind, title, text, ...further) {
  say('')
  const heading = element('h3', { tabindex: '-1' }, title)
  outcome.replaceChildren(
    element('section', { class: `notice ${kind}` }, heading, element('p', {}, text), ...further),
  )
  heading.focus()
}

/** @param {import('./payment.js').Problem} problem */
const codeLine = ({ code }) =>
  element('p', { class: 'code-line' }, element('a', { href: `/errors#${code}` }, element('code', {}, code)))

function reset() {
  turn += 1
  say('')
  outcome.replaceChildren()
}

async function askForTerms() {
  reset()
  const mine = turn
  const type = chosen()
  const request = { endpoint: type.dataset.endpoint ?? '', body: JSON.stringify({ value: value.value }) }
  say('Asking for the terms…')
  const answer = await send(request)
  if (mine !== turn) return
  if (answer.kind === 'unpaid') showTerms(answer.quote, request, type.dataset.amount ?? '0')
  else if (answer.kind === 'again' && answer.problem === null)
    tell('bad', 'No answer', 'The service could not be reached. Nothing was signed.')
  else if (answer.kind !== 'sold' && answer.problem !== null)
    tell('bad', answer.problem.title, answer.problem.detail, codeLine(answer.problem))
}

/**
 * @param {Quote} quote
 * @param {import('./payment.js').Request} request
 * @param {string} highest atomic units this page names as its price
 */
function showTerms(quote, request, highest) {
  const { terms } = quote
  if (BigInt(terms.amount) > BigInt(highest)) {
    tell(
      'bad',
      'Dearer than this page says',
      'The terms ask for more than the price named here. Nothing was signed.',
    )
    return
  }
  const wallets = findWallets()
  const pay = element(
    'button',
    { type: 'button', class: 'primary', id: 'pay' },
    `Sign and pay $${inUsdc(terms.amount)}`,
  )
  const choice = walletChoice(wallets)
  const heading = element('h3', { id: 'terms-title', tabindex: '-1' }, 'The terms')
  say('')
  outcome.replaceChildren(
    element(
      'section',
      { class: 'offer', 'aria-labelledby': 'terms-title' },
      heading,
      definitions([
        ['Price', `${inUsdc(terms.amount)} USDC${sandbox ? ' of test money' : ''}`],
        ['Network', sandbox ? 'Base, as the sandbox plays it' : `Base (${terms.network})`],
        ['To', element('code', {}, terms.payTo)],
        ['Token', element('code', {}, terms.asset)],
        ['Good for', `${terms.maxTimeoutSeconds} seconds after signing`],
      ]),
      ...(wallets.length > 1 ? [element('label', { class: 'field' }, 'Wallet', choice)] : []),
      wallets.length === 0
        ? element(
            'p',
            { class: 'note' },
            'No wallet was found in this browser. Install one that speaks EIP-1193, then reload the page.',
          )
        : pay,
    ),
  )
  pay.addEventListener('click', () => {
    const wallet = wallets[choice.selectedIndex] ?? wallets[0]
    if (wallet === undefined) return
    pay.setAttribute('disabled', '')
    void purchase(wallet, quote, request).finally(() => pay.removeAttribute('disabled'))
  })
  ;(wallets.length === 0 ? heading : pay).focus()
}

/** @param {readonly import('./wallet.js').Wallet[]} wallets */
function walletChoice(wallets) {
  const select = document.createElement('select')
  select.append(...wallets.map(({ name }) => element('option', {}, name)))
  return select
}

/**
 * @param {import('./wallet.js').Wallet} wallet
 * @param {Quote} quote
 * @param {import('./payment.js').Request} request
 */
async function purchase({ provider }, quote, request) {
  const mine = turn
  try {
    say('Waiting for the wallet…')
    const account = await connect(provider)
    const authorization = authorize(quote, account)
    const signature = await signTyped(provider, account, typedDataOf(quote, authorization))
    if (mine !== turn) return
    const paid = { ...request, header: paymentHeader(quote, authorization, signature) }
    await deliver(paid, quote, mine)
  } catch (error) {
    if (!(error instanceof WalletFault)) throw error
    if (mine === turn) say(error.message)
  }
}

/**
 * Sends a paid request until it is answered.
 *
 * @param {import('./payment.js').Request} paid
 * @param {Quote} quote
 * @param {number} mine
 */
async function deliver(paid, quote, mine) {
  unanswered = true
  say('Paying and checking…')
  for (let repeats = 0; ; repeats += 1) {
    const answer = await send(paid)
    if (mine !== turn) return
    if (answer.kind !== 'again') {
      unanswered = false
      return showAnswer(answer, quote)
    }
    const why = answer.problem?.detail ?? 'The connection was lost before the answer came.'
    if (repeats === REPEATS) return offerRepeat(why, paid, quote, mine)
    say(`${why} The same request is sent again in ${answer.seconds} s; nothing is signed anew.`)
    await new Promise((resolve) => setTimeout(resolve, answer.seconds * 1000))
    if (mine !== turn) return
  }
}

/**
 * @param {string} why
 * @param {import('./payment.js').Request} paid
 * @param {Quote} quote
 * @param {number} mine
 */
function offerRepeat(why, paid, quote, mine) {
  const again = element(
    'button',
    { type: 'button', class: 'primary', id: 'again' },
    'Repeat the same request',
  )
  again.addEventListener('click', () => {
    again.remove()
    void deliver(paid, quote, mine)
  })
  tell(
    'doubt',
    'No answer yet',
    `${why} Your payment is kept here: repeating the request cannot charge you twice.`,
    again,
  )
}

/**
 * @param {Exclude<Answer, { kind: 'again' }>} answer
 * @param {Quote} quote
 */
function showAnswer(answer, quote) {
  if (answer.kind !== 'sold') {
    tell('bad', answer.problem.title, answer.problem.detail, codeLine(answer.problem))
    return
  }
  const { verdict, receipt, replayed } = answer
  outcome.replaceChildren(
    renderVerdict(verdict),
    renderReceipt(receipt, { amount: quote.terms.amount, replayed, sandbox }),
  )
  say(`${verdict.valid ? 'Valid' : 'Not valid'}. Paid ${inUsdc(quote.terms.amount)} USDC.`)
  byId('verdict-title', HTMLElement).focus()
}

/** @param {'valid' | 'invalid'} which */
function takeExample(which) {
  value.value = chosen().dataset[which] ?? ''
  reset()
  value.focus()
}

/** A link from a check's page names its type after the hash; the value never stands in an address. */
function chooseByHash() {
  const type = location.hash.replace(/^#try-/, '')
  const input = form.querySelector(`input[value="${CSS.escape(type)}"]`)
  if (input instanceof HTMLInputElement) {
    input.checked = true
    panel.scrollIntoView()
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void askForTerms()
})
form.addEventListener('input', reset)
byId('take-valid', HTMLButtonElement).addEventListener('click', () => takeExample('valid'))
byId('take-invalid', HTMLButtonElement).addEventListener('click', () => takeExample('invalid'))
window.addEventListener('hashchange', chooseByHash)
window.addEventListener('beforeunload', (event) => {
  if (unanswered) event.preventDefault()
})
chooseByHash()
form.hidden = false
