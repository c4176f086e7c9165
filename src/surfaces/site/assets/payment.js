/** One paid request (x402 version 2, HTTP transport, scheme exact on EVM): terms, payment, answer. */
import { chain } from './dom.js'

/**
 * @typedef {{ scheme: string, network: string, amount: string, asset: string, payTo: string, maxTimeoutSeconds: number, extra: { name: string, version: string } }} Terms
 * @typedef {{ x402Version: number, resource: unknown, accepts: Terms[], extensions?: unknown }} Required
 * @typedef {{ required: Required, terms: Terms, serverAhead: number }} Quote
 * @typedef {{ endpoint: string, body: string, header?: string }} Request
 * @typedef {Request & { payer: string, nonce: string }} PaidRequest
 * @typedef {{ code: string, title: string, detail: string, charged?: unknown, retry?: unknown }} Problem
 * @typedef {{ kind: 'sold', result: any, receipt: any, replayed: boolean }
 *   | { kind: 'unpaid', quote: Quote, problem: Problem }
 *   | { kind: 'again', problem: Problem | null, seconds: number }
 *   | { kind: 'refused', problem: Problem }} Answer
 */

/** Seconds before the same request is sent again, unless the service names them. */
const WAIT = 2

/** @type {Answer} */
const NO_ANSWER = { kind: 'again', problem: null, seconds: WAIT }

/**
 * Sends a request; with the same payment it is the same purchase.
 *
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export async function send({ endpoint, body, header }) {
  /** @type {Response} */
  let response
  let text
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(header ? { 'PAYMENT-SIGNATURE': header } : {}) },
      body,
      cache: 'no-store',
      redirect: 'error',
    })
    text = await response.text()
  } catch {
    return NO_ANSWER
  }
  return read(response, text)
}

/**
 * @param {Response} response
 * @param {string} text
 * @returns {Answer}
 */
function read(response, text) {
  const json = parse(text)
  if (response.status === 200) {
    // Something in front of the service may answer with a page of its own.
    if (json?.valid === undefined) return NO_ANSWER
    const receipt = decode(response.headers.get('PAYMENT-RESPONSE'))
    return { kind: 'sold', result: json, receipt, replayed: response.headers.has('Payment-Replayed') }
  }
  const problem = problemOf(json, response.status)
  if (response.status === 402) {
    const quote = quoteOf(decode(response.headers.get('PAYMENT-REQUIRED')), dateOf(response.headers))
    if (quote !== null) return { kind: 'unpaid', quote, problem }
  }
  if (response.status >= 500 || problem.retry === 'unchanged') {
    return { kind: 'again', problem, seconds: secondsOf(response.headers.get('Retry-After')) }
  }
  return { kind: 'refused', problem }
}

/** @param {Headers} headers an answer with an `Age` may come from a cache, with a date of its own */
const dateOf = (headers) => (headers.has('Age') ? null : headers.get('Date'))

/** @param {string | null} retryAfter may be a date instead, or anything */
function secondsOf(retryAfter) {
  const seconds = Number(retryAfter ?? WAIT)
  return Number.isNaN(seconds) ? WAIT : Math.min(Math.max(seconds, 1), 30)
}

/**
 * Returns the terms this page can pay: scheme exact, on its network.
 *
 * @param {any} required
 * @param {string | null} date the server's clock, which decides how long a payment is valid
 * @returns {Quote | null}
 */
function quoteOf(required, date) {
  if (required?.x402Version !== 2 || !Array.isArray(required.accepts)) return null
  const { id } = chain()
  const terms = required.accepts.find(
    (/** @type {Terms} */ each) => each.scheme === 'exact' && each.network === id,
  )
  if (terms === undefined) return null
  const serverTime = Date.parse(date ?? '')
  return { required, terms, serverAhead: Number.isNaN(serverTime) ? 0 : serverTime - Date.now() }
}

/** Milliseconds that this machine's clock may be ahead of the service's. */
const MOST_AHEAD = 60_000

/**
 * Returns why nothing is signed: the two clocks differ by more than a payment bears.
 *
 * @param {Quote} quote
 * @returns {string | null}
 */
export function clockFault({ terms, serverAhead }) {
  if (serverAhead >= -MOST_AHEAD && serverAhead < terms.maxTimeoutSeconds * 1000) return null
  const [own, service] = [0, serverAhead].map(
    (ahead) => `${new Date(Date.now() + ahead).toISOString().slice(0, 19)}Z`,
  )
  return `The clock of this machine says ${own}, that of the service ${service}. Nothing was signed. Set the clock, and load the page again.`
}

/**
 * Returns a transfer of the terms' amount, valid from now until their deadline, with a new nonce.
 *
 * @param {Quote} quote
 * @param {string} from
 */
export function authorize({ terms, serverAhead }, from) {
  const now = Math.floor((Date.now() + serverAhead) / 1000)
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return {
    from,
    to: terms.payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: String(now + terms.maxTimeoutSeconds),
    nonce: `0x${nonce.join('')}`,
  }
}

/**
 * Returns what the wallet signs: EIP-3009's TransferWithAuthorization as typed data (EIP-712).
 *
 * @param {Quote} quote
 * @param {ReturnType<typeof authorize>} message
 */
export function typedDataOf({ terms }, message) {
  const field = (/** @type {string} */ name, /** @type {string} */ type) => ({ name, type })
  return {
    domain: {
      name: terms.extra.name,
      version: terms.extra.version,
      chainId: chain().chainId,
      verifyingContract: terms.asset,
    },
    types: {
      EIP712Domain: [
        field('name', 'string'),
        field('version', 'string'),
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      TransferWithAuthorization: [
        field('from', 'address'),
        field('to', 'address'),
        field('value', 'uint256'),
        field('validAfter', 'uint256'),
        field('validBefore', 'uint256'),
        field('nonce', 'bytes32'),
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  }
}

/**
 * Returns the PAYMENT-SIGNATURE header; resource and extensions are sent back unchanged.
 *
 * @param {Quote} quote
 * @param {ReturnType<typeof authorize>} authorization
 * @param {string} signature
 */
export function paymentHeader({ required, terms }, authorization, signature) {
  const { resource, extensions } = required
  const payload = { signature, authorization }
  const json = JSON.stringify({ x402Version: 2, resource, accepted: terms, payload, extensions })
  return btoa(Array.from(new TextEncoder().encode(json), (byte) => String.fromCharCode(byte)).join(''))
}

/**
 * @param {any} json
 * @param {number} status
 * @returns {Problem}
 */
const problemOf = (json, status) =>
  typeof json?.code === 'string'
    ? json
    : { code: '', title: `Status ${status}`, detail: 'This answer did not come from the service.' }

/** @param {string | null} header base64 of JSON in UTF-8 */
function decode(header) {
  if (header === null) return null
  try {
    const bytes = Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0))
    return parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @param {string} amount atomic units of six decimals */
export function inUsdc(amount) {
  const digits = amount.padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** @param {string} amount atomic units of six decimals; with cents, as all prices on the pages are written */
export function inDollars(amount) {
  const [whole = '', decimals = ''] = inUsdc(amount).split('.')
  return `$${whole}.${decimals.padEnd(2, '0')}`
}
