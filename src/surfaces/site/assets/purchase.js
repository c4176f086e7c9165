/**
 * From the wallet's signature to the answer.
 *
 * What was signed is kept until it is answered: a lost connection or an answer in doubt sends the very same request
 * again, and only a person signs anew.
 */
import { element } from './dom.js'
import { button, say, show, tell, tellProblem } from './notice.js'
import { authorize, inUsdc, paymentHeader, send, typedDataOf } from './payment.js'
import { renderReceipt, renderVerdict } from './verdict.js'
import { connect, signTyped } from './wallet.js'

/** @import { Answer, Quote, Request } from './payment.js' */
/** @import { Wallet } from './wallet.js' */
/** @typedef {{ amount: string, sandbox: boolean }} Facts */

/** How often a paid request is repeated by itself before a person is asked. */
const REPEATS = 6

/**
 * Has a request paid for; throws a WalletFault when nothing was signed.
 *
 * @param {Wallet} wallet
 * @param {Quote} quote
 * @param {Request} request
 * @returns {Promise<Request>} the request with its payment
 */
export async function signPayment({ provider }, quote, request) {
  say('Waiting for the wallet…')
  const account = await connect(provider)
  const authorization = authorize(quote, account)
  const signature = await signTyped(provider, account, typedDataOf(quote, authorization))
  return { ...request, header: paymentHeader(quote, authorization, signature) }
}

/**
 * Sends a paid request until it is answered, or until the person starts over.
 *
 * @param {Request} paid
 * @param {Facts} facts
 */
export async function deliver(paid, facts) {
  show()
  say('Paying and checking…')
  for (let repeats = 0; ; repeats += 1) {
    const answer = await send(paid)
    if (answer.kind === 'sold') return showSold(answer, facts)
    if (answer.kind !== 'again') return tellProblem(answer.problem)
    const why = answer.problem?.detail ?? 'The connection was lost before the answer came.'
    if (repeats === REPEATS) {
      if (await wantsRepeat(why)) return deliver(paid, facts)
      return show()
    }
    say(`${why} The same request goes out again in ${answer.seconds} s; nothing is signed anew.`)
    await new Promise((resolve) => setTimeout(resolve, answer.seconds * 1000))
  }
}

/** @type {(why: string) => Promise<boolean>} */
const wantsRepeat = (why) =>
  new Promise((resolve) =>
    tell(
      'doubt',
      'No answer yet',
      `${why} Your payment is kept on this page: repeating the request cannot charge you twice.`,
      element(
        'div',
        { class: 'answers' },
        button('Start over', 'secondary', () => resolve(false)),
        button('Repeat the request', 'primary', () => resolve(true)),
      ),
    ),
  )

/**
 * @param {Extract<Answer, { kind: 'sold' }>} answer
 * @param {Facts} facts
 */
function showSold({ verdict, receipt, replayed }, facts) {
  const card = renderVerdict(verdict)
  show(card, renderReceipt(receipt, { ...facts, replayed }))
  say(`${verdict.valid ? 'Valid' : 'Not valid'}. Paid ${inUsdc(facts.amount)} USDC.`, true)
  card.querySelector('h3')?.focus()
}
