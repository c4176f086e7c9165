/** The "Try it" panel: recorded answers for examples; for a real check a value, its terms, and a wallet to accept them. */
import { byId } from './dom.js'
import { startExamples } from './examples.js'
import { say, show, tell, tellProblem } from './notice.js'
import { offer } from './offer.js'
import { inUsdc, send } from './payment.js'
import { deliver, signPayment } from './purchase.js'
import { curlOf, folded, pretty } from './raw.js'
import { renderReceipt, renderVerdict } from './verdict.js'
import { WalletFault, watchWallets } from './wallet.js'

/** @import { Answer, Quote, Request } from './payment.js' */
/** @import { PaidRequest } from './purchase.js' */
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
    if (answer.kind === 'unpaid') {
      const { quote } = answer
      offer(quote, {
        most: BigInt(place.dataset.amount ?? 0),
        price: inUsdc(quote.terms.amount),
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
    pay.setAttribute('aria-disabled', 'true')
    try {
      const paid = await signPayment(wallet, quote, request)
      if (mine !== turn) return
      unanswered = true
      form.inert = true
      await deliver(paid, (sold) => showSold(sold, paid, { amount: quote.terms.amount, sandbox }))
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
 * The verdict, its receipt, and what a program would see.
 *
 * @param {Extract<Answer, { kind: 'sold' }>} answer
 * @param {PaidRequest} paid
 * @param {{ amount: string, sandbox: boolean }} sale
 */
function showSold({ result, receipt, replayed }, paid, sale) {
  const card = renderVerdict(result)
  card.append(folded('The answer as JSON', pretty(result)))
  const proof = renderReceipt(receipt, { ...sale, replayed })
  proof.append(
    folded('The receipt as JSON', pretty(receipt)),
    folded('The same call with curl (free for an hour)', curlOf(paid)),
  )
  show(card, proof)
  say(`${result.valid ? 'Valid' : 'Not valid'}. Paid ${inUsdc(sale.amount)} USDC.`, true)
  card.querySelector('h3')?.focus()
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
