/**
 * A purchase from the terms to the wallet's signature to the answer.
 *
 * After a lost connection or an answer in doubt the same signed request is sent again; only a person signs a new one.
 */
import { element } from './dom.js'
import { button, keepDoubtful, paymentLink, say, show, tell, tellProblem } from './notice.js'
import { offer } from './offer.js'
import { authorize, clockFault, inUsdc, paymentHeader, send, typedDataOf } from './payment.js'
import { connect, signTyped, WalletFault, watchWallets } from './wallet.js'

/** @import { Answer, PaidRequest, Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */
/** @typedef {Extract<Answer, { kind: 'sold' }>} SoldAnswer */

/**
 * One attempt to buy. `question` asks for the terms (by default the request itself), `most` is the highest price to sign, in
 * atomic units, and `price` is shown to visitors without a wallet (by default that of the terms). `isAgreed` if the person
 * pressed a button with the price: the only wallet is asked at once.
 *
 * `earlier` is the request with a payment that was sent before a reload: it is sent again instead of a new one, and
 * `refusedEarlier` is called if it was not charged. `beforeSent` is awaited before a payment leaves the page.
 *
 * @typedef {{ question?: Request, request: Request, most: bigint, price?: string, isAgreed?: boolean, earlier?: PaidRequest,
 *   refusedEarlier?: () => void, beforeSent?: (paid: PaidRequest) => Promise<void>,
 *   showSold: (answer: SoldAnswer, paid: PaidRequest, amount: string) => void }} Attempt
 */

/** How often a paid request is repeated before a person is asked. */
const REPEATS = 6

/**
 * The purchases of one page: only the last attempt is shown or sent. `setBusy` locks the page while a paid request is
 * unanswered.
 *
 * @param {HTMLElement} place
 * @param {(isBusy: boolean) => void} setBusy
 */
export function startPurchases(place, setBusy) {
  const sandbox = place.dataset.sandbox === 'true'
  // The sandbox plays Base: a signature by a real wallet would be valid on the real chain, so none is asked for one.
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
        isAgreed: attempt.isAgreed === true,
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
   * Locks the page until a paid request is answered.
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
    /** Ends the attempt under way: nothing more of it is shown or sent. */
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
  const fault = clockFault(quote)
  if (fault !== null) throw new WalletFault(fault)
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
      // Not charged only if the service says so; an answer without the member leaves it open.
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
