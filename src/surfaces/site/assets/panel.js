/** The "try it" panel: a value, the terms it is checked on, and a wallet to accept them with. */
import { byId, definitions, element } from './dom.js'
import { button, say, show, tell, tellProblem } from './notice.js'
import { inUsdc, send } from './payment.js'
import { deliver, signPayment } from './purchase.js'
import { WalletFault, watchWallets } from './wallet.js'

/** @import { Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */

function startPanel() {
  const form = byId('panel', HTMLFormElement)
  const value = byId('value', HTMLInputElement)
  const place = byId('try', HTMLElement)
  const sandbox = place.dataset.sandbox === 'true'
  // A signature for the sandbox means the same on the real chain, so no real wallet is asked for one there.
  const wallets = watchWallets(sandbox ? 'local.sandbox' : undefined)
  /** Counts what has been begun, so that nothing of what was given up is shown or sent. */
  let turn = 0
  let unanswered = false

  const chosen = () => /** @type {HTMLInputElement} */ (form.querySelector('input[name=type]:checked'))

  function reset() {
    turn += 1
    say('')
    show()
  }

  async function askForTerms() {
    reset()
    const mine = turn
    const { endpoint = '' } = chosen().dataset
    const request = { endpoint, body: JSON.stringify({ value: value.value }) }
    say('Asking for the terms…')
    const answer = await send(request)
    if (mine !== turn) return
    if (answer.kind === 'unpaid') offer(answer.quote, request)
    else if (answer.kind !== 'sold' && answer.problem !== null) tellProblem(answer.problem)
    else tell('bad', 'No answer', 'The service could not be reached. Nothing was signed.')
  }

  /**
   * @param {Quote} quote
   * @param {Request} request
   */
  function offer(quote, request) {
    const { amount } = quote.terms
    if (BigInt(amount) > BigInt(place.dataset.amount ?? 0)) {
      return tell(
        'bad',
        'Dearer than this page says',
        'The terms ask for more than the price named here. Nothing was signed.',
      )
    }
    const found = wallets()
    const choice = document.createElement('select')
    choice.append(...found.map(({ name }) => element('option', {}, name)))
    const pay = button(`Sign and pay $${inUsdc(amount)}`, 'primary', () => {
      const wallet = found[choice.selectedIndex]
      if (wallet !== undefined) void purchase(wallet, pay, quote, request)
    })
    say('')
    show(
      element(
        'section',
        { class: 'offer', 'aria-labelledby': 'terms-title' },
        element('h3', { id: 'terms-title', tabindex: '-1' }, 'The terms'),
        termsOf(quote),
        ...(found.length > 1 ? [element('label', { class: 'field' }, 'Wallet', choice)] : []),
        found.length > 0 ? pay : element('p', { class: 'note' }, NO_WALLET),
      ),
    )
    if (found.length > 0) pay.focus()
    else byId('terms-title', HTMLElement).focus()
  }

  /** @param {Quote} quote */
  const termsOf = ({ terms }) =>
    definitions([
      ['Price', `${inUsdc(terms.amount)} USDC${sandbox ? ' of test money' : ''}`],
      ['Network', sandbox ? 'Base, as the sandbox plays it' : 'Base'],
      ['To', element('code', {}, terms.payTo)],
      ['Token', element('code', {}, terms.asset)],
      ['Good for', `${terms.maxTimeoutSeconds} seconds from signing`],
    ])

  /**
   * @param {Wallet} wallet
   * @param {HTMLElement} pay
   * @param {Quote} quote
   * @param {Request} request
   */
  async function purchase(wallet, pay, quote, request) {
    const mine = turn
    pay.setAttribute('disabled', '')
    try {
      const paid = await signPayment(wallet, quote, request)
      if (mine !== turn) return
      unanswered = true
      form.inert = true
      await deliver(paid, { amount: quote.terms.amount, sandbox })
    } catch (error) {
      if (!(error instanceof WalletFault)) throw error
      if (mine === turn) say(error.message)
    } finally {
      unanswered = false
      form.inert = false
      pay.removeAttribute('disabled')
    }
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
    if (!(input instanceof HTMLInputElement)) return
    input.checked = true
    place.scrollIntoView()
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
  form.hidden = false
  chooseByHash()
}

const NO_WALLET =
  'No wallet was found in this browser. Install one that speaks EIP-1193, then reload the page.'

startPanel()
