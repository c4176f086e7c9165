/**
 * From the terms to the wallet's signature to the answer.
 *
 * A signed request is kept until it is answered: after a lost connection or an answer in doubt the same request is sent
 * again, and only a person signs a new one.
 */
import { element } from './dom.js'
import { button, keepDoubtful, paymentLink, say, show, tell, tellProblem } from './notice.js'
import { offer } from './offer.js'
import { authorize, inUsdc, paymentHeader, send, typedDataOf } from './payment.js'
import { connect, signTyped, WalletFault, watchWallets } from './wallet.js'

/** @import { Answer, Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */
/** @typedef {Request & { payer: string, nonce: string }} PaidRequest */
/** @typedef {Extract<Answer, { kind: 'sold' }>} SoldAnswer */

/**
 * One attempt to buy: what asks for the terms, what is then paid for, the most it may cost in atomic units, and what shows
 * the answer. `price` is that of one value, for visitors without a wallet; by default what the terms ask for.
 *
 * `earlier` is the same request with a payment that was sent before the page was loaded again; it is sent again in place
 * of a new one, and `refusedEarlier` is called if it was never charged. `beforeSent` is awaited before a payment leaves the page.
 *
 * @typedef {{ question?: Request, request: Request, most: bigint, price?: string, earlier?: PaidRequest,
 *   refusedEarlier?: () => void, beforeSent?: (paid: PaidRequest) => Promise<void>,
 *   showSold: (answer: SoldAnswer, paid: PaidRequest, amount: string) => void }} Attempt
 */

/** Automatic repeats of a paid request before a person is asked. */
const REPEATS = 6

/**
 * The purchases of one page. Only the last attempt is shown or sent; `setBusy` locks the page while a paid request is
 * unanswered.
 *
 * @param {HTMLElement} place
 * @param {(isBusy: boolean) => void} setBusy
 */
export function startPurchases(place, setBusy) {
  const sandbox = place.dataset.sandbox === 'true'
  // A signature for the sandbox is also good on the real chain, so no real wallet is asked for one there.
  const wallets = watchWallets(sandbox ? 'local.sandbox' : undefined)
  let turn = 0
  let unanswered = false

  /** @param {Attempt} attempt */
  async function begin(attempt) {
    turn += 1
    const mine = turn
    const { earlier, showSold } = attempt
    if (earlier !== undefined)
      return answered(
        earlier,
        (answer) => showSold(answer, earlier, String(attempt.most)),
        attempt.refusedEarlier,
      )
    say('Asking for the terms…')
    const answer = await send(attempt.question ?? attempt.request)
    if (mine !== turn) return
    if (answer.kind === 'unpaid') {
      const { quote } = answer
      offer(quote, {
        most: attempt.most,
        price: attempt.price ?? inUsdc(quote.terms.amount),
        wallets: wallets(),
        accept: (wallet, pay) => void purchase(wallet, pay, quote, attempt),
      })
    } else if (answer.kind !== 'sold' && answer.problem !== null) tellProblem(answer.problem)
    else tell('bad', 'No answer', 'The service could not be reached. Nothing was signed.')
  }

  /**
   * @param {Wallet} wallet
   * @param {HTMLElement} pay
   * @param {Quote} quote
   * @param {Attempt} attempt
   */
  async function purchase(wallet, pay, quote, { request, showSold, beforeSent }) {
    const mine = turn
    pay.setAttribute('aria-disabled', 'true')
    try {
      const paid = await signPayment(wallet, quote, request)
      if (mine !== turn) return
      await beforeSent?.(paid)
      if (mine !== turn) return
      await answered(paid, (answer) => showSold(answer, paid, quote.terms.amount))
    } catch (error) {
      if (!(error instanceof WalletFault)) throw error
      if (mine === turn) say(error.message)
    } finally {
      pay.removeAttribute('aria-disabled')
    }
  }

  /**
   * While a paid request is unanswered, nothing else is begun.
   *
   * @param {PaidRequest} paid
   * @param {(answer: SoldAnswer) => void} showSold
   * @param {() => void} [notCharged]
   */
  async function answered(paid, showSold, notCharged) {
    unanswered = true
    setBusy(true)
    try {
      await deliver(paid, showSold, notCharged)
    } finally {
      unanswered = false
      setBusy(false)
    }
  }

  return {
    begin,
    /** Nothing of the attempt under way is shown or sent any more. */
    abandon() {
      turn += 1
    },
    isUnanswered: () => unanswered,
  }
}

/**
 * Signs the payment of a request; throws a WalletFault if nothing was signed.
 *
 * @param {Wallet} wallet
 * @param {Quote} quote
 * @param {Request} request
 * @returns {Promise<PaidRequest>} the request with its payment
 */
async function signPayment({ provider }, quote, request) {
  say('Waiting for the wallet…')
  const account = await connect(provider)
  const authorization = authorize(quote, account)
  const signature = await signTyped(provider, account, typedDataOf(quote, authorization))
  const { from: payer, nonce } = authorization
  return { ...request, header: paymentHeader(quote, authorization, signature), payer, nonce }
}

/**
 * Sends a paid request until it is answered, or until the person starts over.
 *
 * @param {PaidRequest} paid
 * @param {(answer: SoldAnswer) => void} showSold
 * @param {() => void} [notCharged]
 */
async function deliver(paid, showSold, notCharged) {
  show()
  say('Paying and checking…')
  for (let repeats = 0; ; repeats += 1) {
    const answer = await send(paid)
    if (answer.kind === 'sold') return showSold(answer)
    if (answer.kind !== 'again') {
      // Only the service can say that nothing was charged; also it may not know.
      if (answer.problem.charged !== false) keepDoubtful(paid)
      else notCharged?.()
      return tellProblem(answer.problem)
    }
    const why = answer.problem?.detail ?? 'The connection was lost before the answer came.'
    if (repeats === REPEATS) {
      if (await wantsRepeat(why, paid)) return deliver(paid, showSold, notCharged)
      keepDoubtful(paid)
      return show()
    }
    say(`${why} The same request is sent again in ${answer.seconds} s with the same signature.`)
    await new Promise((resolve) => setTimeout(resolve, answer.seconds * 1000))
  }
}

/** @type {(why: string, paid: PaidRequest) => Promise<boolean>} */
const wantsRepeat = (why, paid) =>
  new Promise((resolve) =>
    tell(
      'doubt',
      'No answer yet',
      `${why} Repeating the request cannot charge you twice.`,
      element('p', {}, 'What is known of it: ', paymentLink(paid)),
      element(
        'div',
        { class: 'answers' },
        button('Start over', 'secondary', () => resolve(false)),
        button('Repeat the request', 'primary', () => resolve(true)),
      ),
    ),
  )
