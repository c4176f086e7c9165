/** The terms of a call, and the button that accepts them. */
import { byId, definitions, element } from './dom.js'
import { getWallet } from './get-wallet.js'
import { button, say, show, tell } from './notice.js'
import { inDollars, inUsdc } from './payment.js'

/** @import { Quote } from './payment.js' */
/** @import { Wallet } from './wallet.js' */

/**
 * Shows the terms; `accept` is called with the chosen wallet and the pressed button. Terms above `most` atomic units are
 * not offered.
 *
 * @param {Quote} quote
 * @param {{ most: bigint, price: string, sandbox: boolean, wallets: readonly Wallet[],
 *   accept: (wallet: Wallet, pay: HTMLElement) => void }} options `price` of one value, for visitors without a wallet
 */
export function offer(quote, { most, price, sandbox, wallets, accept }) {
  const { amount } = quote.terms
  if (BigInt(amount) > most) {
    return tell(
      'bad',
      'Price changed',
      'The terms ask for more than the price on this page. Nothing was signed.',
    )
  }
  const choice = document.createElement('select')
  choice.append(...wallets.map(({ name }) => element('option', {}, name)))
  const pay = button(`Sign and pay ${inDollars(amount)}`, 'primary', () => {
    const wallet = wallets[choice.selectedIndex]
    if (wallet !== undefined) accept(wallet, pay)
  })
  say('')
  show(
    element(
      'section',
      { class: 'offer', 'aria-labelledby': 'terms-title' },
      element('h3', { id: 'terms-title', tabindex: '-1' }, 'The terms'),
      termsOf(quote, sandbox),
      ...(wallets.length > 1 ? [element('label', { class: 'field' }, 'Wallet', choice)] : []),
      wallets.length > 0 ? pay : getWallet(price),
    ),
  )
  if (wallets.length > 0) pay.focus()
  else byId('terms-title', HTMLElement).focus()
}

/**
 * @param {Quote} quote
 * @param {boolean} sandbox
 */
const termsOf = ({ terms }, sandbox) =>
  definitions([
    ['Price', `${inUsdc(terms.amount)} USDC${sandbox ? ' of test money' : ''}`],
    ['Network', sandbox ? 'Base (simulated)' : 'Base'],
    ['To', element('code', {}, terms.payTo)],
    ['Token', element('code', {}, terms.asset)],
    ['Valid for', `${terms.maxTimeoutSeconds} seconds from signing`],
  ])
