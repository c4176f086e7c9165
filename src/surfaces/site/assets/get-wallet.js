/** What a visitor without a wallet can do next. */
import { element } from './dom.js'

const link = (/** @type {string} */ href, /** @type {string} */ words) =>
  element('a', { href, rel: 'noreferrer' }, words)

/** @param {string} price */
export function getWallet(price) {
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
        'Install a wallet that knows Base. ',
        link('https://ethereum.org/wallets/find-wallet/', 'Find one'),
      ),
      element(
        'li',
        {},
        `Put USDC on Base into it. One dollar pays for many calls of $${price}; ether is not needed.`,
      ),
      element('li', {}, 'Reload this page.'),
    ),
    ...onPhone(),
    element('p', {}, link('/docs/wallet', 'A wallet and USDC, step by step')),
  )
}

/** On a phone a wallet shows pages in a browser of its own; the address carries nothing of the form. */
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
