/** Wallets in the browser: they announce themselves (EIP-6963) and take requests (EIP-1193). */
import { chain } from './dom.js'

/** The chain in the form of `wallet_addEthereumChain` (EIP-3085). */
const chainParameters = () => {
  const { chainId, name, node, explorer } = chain()
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [node],
    blockExplorerUrls: explorer === null ? [] : [explorer],
  }
}

/**
 * @typedef {{ request(call: { method: string, params?: unknown[] }): Promise<unknown> }} Provider
 * @typedef {{ name: string, provider: Provider }} Wallet
 */

/** Thrown with a message for the visitor; nothing was signed. */
export class WalletFault extends Error {}

/**
 * Listens for wallets that announce themselves. The returned function lists those found so far, or else the one under
 * `window.ethereum`. With `only`, no other wallet is listed.
 *
 * @param {string} [only] reverse domain name
 * @returns {() => readonly Wallet[]}
 */
export function watchWallets(only) {
  /** @type {Map<string, Wallet>} */
  const found = new Map()
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail
    if (only === undefined || info.rdns === only) found.set(info.uuid, { name: String(info.name), provider })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => {
    const provider = /** @type {{ ethereum?: Provider }} */ (window).ethereum
    if (found.size > 0 || provider === undefined || only !== undefined) return [...found.values()]
    return [{ name: 'Browser wallet', provider }]
  }
}

/**
 * Asks for an account, and makes the wallet switch to the page's chain, adding it if needed.
 *
 * @param {Provider} provider
 * @returns {Promise<string>}
 */
export async function connect(provider) {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const [account] = Array.isArray(accounts) ? accounts : []
  if (typeof account !== 'string') throw new WalletFault('The wallet gave no account. Nothing was signed.')
  if (!(await isOnChain(provider))) await switchChain(provider)
  return account
}

/**
 * Asks the wallet to sign typed data (EIP-712).
 *
 * @param {Provider} provider
 * @param {string} account
 * @param {unknown} typedData
 * @returns {Promise<string>}
 */
export async function signTyped(provider, account, typedData) {
  const signature = await ask(provider, 'eth_signTypedData_v4', [account, JSON.stringify(typedData)])
  if (typeof signature !== 'string') throw new WalletFault('The wallet gave no signature. Nothing was paid.')
  return inTokensForm(signature)
}

/**
 * The token takes 27 or 28 as the last byte (v); some hardware wallets sign with 0 or 1. Other signatures stay as they are.
 *
 * @param {string} signature
 */
const inTokensForm = (signature) =>
  /^0x[0-9a-f]{128}0[01]$/i.test(signature)
    ? `${signature.slice(0, -2)}${signature.endsWith('0') ? '1b' : '1c'}`
    : signature

/** @param {Provider} provider */
async function isOnChain(provider) {
  return Number(await ask(provider, 'eth_chainId')) === chain().chainId
}

/** @param {Provider} provider */
async function switchChain(provider) {
  const wanted = chainParameters()
  const params = [{ chainId: wanted.chainId }]
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params })
  } catch (error) {
    if (!isUnknownChain(error)) throw faultOf(error, wishOf('wallet_switchEthereumChain'))
    await ask(provider, 'wallet_addEthereumChain', [wanted])
    // A wallet that adds a network need not switch to it (EIP-3085).
    if (!(await getsToChain(provider))) await ask(provider, 'wallet_switchEthereumChain', params)
  }
  if (!(await getsToChain(provider))) {
    throw new WalletFault(
      `The wallet is still on another network. Switch it to ${wanted.chainName} and try again; nothing was signed.`,
    )
  }
}

/**
 * Waits up to a second, because wallets on phones answer before they have switched.
 *
 * @param {Provider} provider
 */
async function getsToChain(provider) {
  for (let waits = 0; waits < 10; waits += 1) {
    if (await isOnChain(provider)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return isOnChain(provider)
}

/**
 * @param {Provider} provider
 * @param {string} method
 * @param {unknown[]} [params]
 */
async function ask(provider, method, params) {
  try {
    return await provider.request(params === undefined ? { method } : { method, params })
  } catch (error) {
    throw faultOf(error, wishOf(method))
  }
}

/** @type {Readonly<Record<string, string>>} */
const WISHES = {
  eth_requestAccounts: 'connect to this page',
  eth_chainId: 'name its network',
  eth_signTypedData_v4: 'sign the payment',
  wallet_addEthereumChain: 'add CHAIN',
  wallet_switchEthereumChain: 'switch to CHAIN',
}

const wishOf = (/** @type {string} */ method) => (WISHES[method] ?? method).replace('CHAIN', chain().name)

/** @type {Readonly<Record<number, string>>} by code of EIP-1193, EIP-1474 and WalletConnect; the star stands for the wish */
const REFUSALS = {
  4001: 'You declined to * in the wallet.',
  4100: 'The wallet does not let this page use the account.',
  4200: 'The wallet cannot *.',
  4900: 'The wallet is not connected to its network.',
  5000: 'You declined to * in the wallet.',
  [-32002]: 'The wallet still waits for an earlier answer: open it, then try again.',
}

/**
 * The wallet's refusal in our words; its own message is not shown, because it may contain anything.
 *
 * @param {unknown} error
 * @param {string} wish
 */
function faultOf(error, wish) {
  const code = codeOf(error)
  const words =
    REFUSALS[code ?? 0] ?? `The wallet failed to ${wish}${code === undefined ? '' : ` (code ${code})`}.`
  return new WalletFault(`${words.replace('*', wish)} Nothing was paid.`)
}

/** The code by which a wallet says that it does not know a chain (EIP-3326). */
const isUnknownChain = (/** @type {unknown} */ error) => codeOf(error) === 4902

/**
 * The code of an error. Some wallets put their own around the one that says what happened, or write it as a string.
 *
 * @param {unknown} error
 * @returns {number | undefined}
 */
function codeOf(error) {
  const { code, data } = /** @type {{ code?: unknown, data?: { originalError?: unknown } }} */ (error ?? {})
  const inner = data?.originalError === undefined ? undefined : codeOf(data.originalError)
  const outer = typeof code === 'string' && /^-?\d{1,5}$/.test(code) ? Number(code) : code
  return inner ?? (typeof outer === 'number' ? outer : undefined)
}
