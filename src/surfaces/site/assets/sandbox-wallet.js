/** The wallet of the sandbox: announced like any other; a dialog asks for consent, then the local server signs. */
import { definitions, element } from './dom.js'
import { button } from './notice.js'
import { inUsdc } from './payment.js'

/** @param {number} code a refusal as wallets throw it (EIP-1193) */
const refusal = (code) => Object.assign(new Error('refused'), { code })

const provider = {
  /** @param {{ method: string, params?: unknown[] }} call */
  async request({ method, params = [] }) {
    if (method === 'eth_signTypedData_v4' && !(await isAllowed(params))) {
      throw refusal(4001)
    }
    const response = await fetch('/sandbox/wallet', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ method, params }),
    })
    const { result, error } = await response.json()
    if (error !== undefined) throw refusal(error.code)
    return result
  },
}

/**
 * @param {unknown[]} params
 * @returns {Promise<boolean>}
 */
function isAllowed([, typedData]) {
  const { message } = JSON.parse(String(typedData))
  const dialog = document.createElement('dialog')
  dialog.className = 'wallet'
  dialog.setAttribute('aria-labelledby', 'wallet-title')
  dialog.append(
    element('h2', { id: 'wallet-title' }, 'Sandbox wallet'),
    element('p', {}, 'This page asks for a signature. The money is not real.'),
    definitions([
      ['Transfer', `${inUsdc(String(message.value))} USDC`],
      ['From', element('code', {}, String(message.from))],
      ['To', element('code', {}, String(message.to))],
    ]),
    element(
      'div',
      { class: 'answers' },
      button('Decline', 'secondary', () => dialog.close('no')),
      button('Sign', 'primary', () => dialog.close('yes')),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    }),
  )
}

const announce = () =>
  window.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', {
      detail: Object.freeze({
        info: { uuid: 'sandbox', name: 'Sandbox wallet', icon: '', rdns: 'local.sandbox' },
        provider,
      }),
    }),
  )
window.addEventListener('eip6963:requestProvider', announce)
announce()
