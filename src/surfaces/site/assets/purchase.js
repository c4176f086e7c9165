/**
 * From the wallet's signature to the answer.
 *
 * A signed request is kept until it is answered: after a lost connection or an answer in doubt the same request is sent
 * again, and only a person signs a new one.
 */
import { element } from './dom.js'
import { button, keepDoubtful, paymentLink, say, show, tell, tellProblem } from './notice.js'
import { authorize, paymentHeader, send, typedDataOf } from './payment.js'
import { connect, signTyped } from './wallet.js'

/** @import { Answer, Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */
/** @typedef {Request & { payer: string, nonce: string }} PaidRequest */

/** Automatic repeats of a paid request before a person is asked. */
const REPEATS = 6

/**
 * Signs the payment of a request; throws a WalletFault if nothing was signed.
 *
 * @param {Wallet} wallet
 * @param {Quote} quote
 * @param {Request} request
 * @returns {Promise<PaidRequest>} the request with its payment
 */
export async function signPayment({ provider }, quote, request) {
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
 * @param {(answer: Extract<Answer, { kind: 'sold' }>) => void} showSold
 */
export async function deliver(paid, showSold) {
  show()
  say('Paying and checking…')
  for (let repeats = 0; ; repeats += 1) {
    const answer = await send(paid)
    if (answer.kind === 'sold') return showSold(answer)
    if (answer.kind !== 'again') return tellProblem(answer.problem)
    const why = answer.problem?.detail ?? 'The connection was lost before the answer came.'
    if (repeats === REPEATS) {
      if (await wantsRepeat(why, paid)) return deliver(paid, showSold)
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
