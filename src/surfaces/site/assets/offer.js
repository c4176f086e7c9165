/** The terms of a call, and the button that accepts them. */
import { byId, chain, definitions, element } from './dom.js'
import { button, say, show, tell } from './notice.js'
import { inDollars } from './payment.js'

/** @import { Quote } from './payment.js' */
/** @import { Wallet } from './wallet.js' */

/**
 * Shows the terms; `accept` is called with the chosen wallet and the pressed button, at once if the person has agreed to
 * the price and has one wallet. Terms above `most` atomic units are not offered.
 *
 * @param {Quote} quote
 * @param {{ most: bigint, price: string, wallets: readonly Wallet[], isAgreed: boolean,
 *   accept: (wallet: Wallet, pay: HTMLElement) => void }} options `price` of one value, for visitors without a wallet
 */
export function offer(quote, { most, price, wallets, isAgreed, accept }) {
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
      termsOf(quote),
      ...(wallets.length > 1 ? [element('label', { class: 'field' }, 'Wallet', choice)] : []),
      wallets.length > 0 ? pay : getWallet(price),
    ),
  )
  if (wallets.length > 0) pay.focus()
  else byId('terms-title', HTMLElement).focus()
  if (isAgreed && wallets.length === 1) pay.click()
}

/** @param {Quote} quote */
const termsOf = ({ terms }) =>
  definitions([
    ['Price', `${inDollars(terms.amount)} in USDC${chain().isRealMoney ? '' : ', test money'}`],
    ['Network', chain().name],
    ['To', element('code', {}, terms.payTo)],
    ['Token', element('code', {}, terms.asset)],
    ['Valid for', `${terms.maxTimeoutSeconds} seconds from signing`],
  ])

const link = (/** @type {string} */ href, /** @type {string} */ words) =>
  element('a', { href, rel: 'noreferrer' }, words)

/** @param {string} price */
function getWallet(price) {
  return element(
    'section',
    { class: 'get-wallet', 'aria-labelledby': 'get-wallet-title' },
    element('h4', { id: 'get-wallet-title' }, 'No wallet was found in this browser'),
    element(
      'ol',
      {},
      element(
        'li',
        {},
        `Install a wallet that knows ${chain().name}. `,
        link('https://ethereum.org/wallets/find-wallet/', 'Find one'),
      ),
      element(
        'li',
        {},
        `Put USDC on ${chain().name} into it. One dollar pays for many calls of $${price}; ether is not needed.`,
      ),
      element('li', {}, 'Reload this page.'),
    ),
    ...onPhone(),
    element('p', {}, link('/docs/wallet', 'A wallet and USDC, step by step')),
  )
}

/** Phones open a page in the browser of a wallet; the link carries nothing of the form. */
function onPhone() {
  if (location.protocol !== 'https:') return []
  const page = `${location.host}/`
  return [
    element(
      'p',
      {},
      'On a phone, open this page inside the wallet: ',
      link(`https://metamask.app.link/dapp/${page}`, 'MetaMask'),
      ' or ',
      link(`https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(`https://${page}`)}`, 'Base app'),
      '.',
    ),
  ]
}
