/** The "Try it" panel: recorded answers for examples; for a real check a value, its terms, and a wallet to accept them. */
import { byId, definitions, element } from './dom.js'
import { startExamples } from './examples.js'
import { getWallet } from './get-wallet.js'
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
  // A signature for the sandbox is also good on the real chain, so no real wallet is asked for one there.
  const wallets = watchWallets(sandbox ? 'local.sandbox' : undefined)
  /** Counts the attempts, so that nothing of an abandoned one is shown or sent. */
  let turn = 0
  let unanswered = false

  const chosen = () => /** @type {HTMLInputElement} */ (form.querySelector('input[name=type]:checked'))
  const examples = startExamples(place.dataset.examples ?? '', () => chosen().value, value)

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
        'Price changed',
        'The terms ask for more than the price on this page. Nothing was signed.',
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
        found.length > 0 ? pay : getWallet(inUsdc(amount)),
      ),
    )
    if (found.length > 0) pay.focus()
    else byId('terms-title', HTMLElement).focus()
  }

  /** @param {Quote} quote */
  const termsOf = ({ terms }) =>
    definitions([
      ['Price', `${inUsdc(terms.amount)} USDC${sandbox ? ' of test money' : ''}`],
      ['Network', sandbox ? 'Base (simulated)' : 'Base'],
      ['To', element('code', {}, terms.payTo)],
      ['Token', element('code', {}, terms.asset)],
      ['Valid for', `${terms.maxTimeoutSeconds} seconds from signing`],
    ])

  /**
   * @param {Wallet} wallet
   * @param {HTMLElement} pay
   * @param {Quote} quote
   * @param {Request} request
   */
  async function purchase(wallet, pay, quote, request) {
    const mine = turn
    pay.setAttribute('aria-disabled', 'true')
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
      pay.removeAttribute('aria-disabled')
    }
  }

  /** A link from the page of a check names its type after the hash; a value is never part of an address. */
  function chooseByHash() {
    const type = location.hash.replace(/^#try-/, '')
    const input = form.querySelector(`input[value="${CSS.escape(type)}"]`)
    if (!(input instanceof HTMLInputElement)) return
    input.checked = true
    examples.changeType()
    place.scrollIntoView()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    examples.leave()
    void askForTerms()
  })
  form.addEventListener('input', ({ target }) => {
    reset()
    if (target === value) examples.leave()
    else examples.changeType()
  })
  window.addEventListener('hashchange', chooseByHash)
  window.addEventListener('beforeunload', (event) => {
    if (unanswered) event.preventDefault()
  })
  form.hidden = false
  chooseByHash()
  whenSeen(place, () => void examples.load())
}

/**
 * Runs something once, when the element comes near the screen.
 *
 * @param {Element} watched
 * @param {() => void} act
 */
function whenSeen(watched, act) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      act()
    },
    { rootMargin: '200px' },
  )
  observer.observe(watched)
}

startPanel()
