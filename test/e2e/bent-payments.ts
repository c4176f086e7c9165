/** Makes payments, good and bent out of shape in one place, and sends them with a valid body. */
import type { PaymentRequired } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { type SignedTransfer, signPayment } from '../support/chain-payments.ts'
import { encodeHeader } from '../support/payment-header.ts'

/** One service under comparison, and a buyer with money of its own. */
export interface Side {
  readonly url: string
  readonly offer: PaymentRequired
  readonly buyer: PrivateKeyAccount
}

/** A script: what to send, and the answers that are compared. */
export type Script = (side: Side) => Promise<readonly Response[]>

export type Loose = Record<string, unknown>
/** A payload that may be bent out of shape. */
type Payload = Loose & {
  accepted: Loose & { extra: Loose }
  payload: { signature: string; authorization: Loose }
}

export const OTHER: Hex = `0x${'12'.repeat(20)}`
export const now = () => Math.floor(Date.now() / 1000)

/** Sends a valid body to a route. */
export function post(
  { url }: Side,
  headers: Record<string, string> | [string, string][],
  path = '/api/validate/iban',
  value = 'DE89370400440532013000',
): Promise<Response> {
  const all = new Headers(headers)
  all.set('Content-Type', 'application/json')
  return fetch(`${url}${path}`, { method: 'POST', headers: all, body: JSON.stringify({ value }) })
}

const termsOf = (side: Side) => {
  const [terms] = side.offer.accepts
  if (terms === undefined) throw new Error('an offer without terms')
  return terms
}

/** A good payment, except for the signed fields given. */
export async function sign(side: Side, fields: Partial<SignedTransfer> = {}): Promise<Payload> {
  const { payload } = await signPayment(side.buyer, termsOf(side), fields)
  return structuredClone({ ...payload, resource: side.offer.resource }) as unknown as Payload
}

export const sendHeader =
  (make: (side: Side) => Promise<string> | string): Script =>
  async (side) => [await post(side, { 'PAYMENT-SIGNATURE': await make(side) })]

export const sendPayload = (make: (side: Side) => Promise<unknown> | unknown): Script =>
  sendHeader(async (side) => encodeHeader(await make(side)))

/** A payment with other signed fields, the signature being right for them. */
export const signed = (fields: (side: Side) => Partial<SignedTransfer>): Script =>
  sendPayload((side) => sign(side, fields(side)))

/** A good payment, bent after it was signed. */
export const bent = (bend: (payload: Payload, side: Side) => void): Script =>
  sendPayload(async (side) => {
    const payload = await sign(side)
    bend(payload, side)
    return payload
  })

/** The parts of a payment, by name. */
const PARTS = {
  payment: (payment: Payload): Loose => payment,
  accepted: (payment: Payload): Loose => payment.accepted,
  extra: (payment: Payload): Loose => payment.accepted.extra,
  payload: (payment: Payload): Loose => payment.payload,
  authorization: (payment: Payload): Loose => payment.payload.authorization,
} as const
type Part = keyof typeof PARTS

/** A good payment with other members in one part of it. */
export const put = (part: Part, members: Loose): Script =>
  bent((payment) => {
    Object.assign(PARTS[part](payment), members)
  })

/** A good payment with a member less. */
export const without = (part: Part, member: string): Script =>
  bent((payment) => {
    delete PARTS[part](payment)[member]
  })

/** A good payment with its signature changed. */
export const resigned = (change: (signature: string) => string): Script =>
  bent(({ payload }) => {
    payload.signature = change(payload.signature)
  })

/** A payment whose signature is made for another EIP-712 domain. */
export const inDomain = (domain: {
  name?: string
  version?: string
  chainId?: number
  verifyingContract?: Hex
}): Script =>
  sendPayload(async (side) => {
    const payload = await sign(side)
    const { from, to, value, validAfter, validBefore, nonce } = payload.payload.authorization
    payload.payload.signature = await side.buyer.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: BASE_CHAIN_ID, verifyingContract: TOKEN, ...domain },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        from: from as Hex,
        to: to as Hex,
        value: BigInt(String(value)),
        validAfter: BigInt(String(validAfter)),
        validBefore: BigInt(String(validBefore)),
        nonce: nonce as Hex,
      },
    })
    return payload
  })

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with s in the upper half of the order: valid arithmetic, refused by the token. */
export function withHighS(signature: string): string {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

export const flipBit = (signature: string): string =>
  `${signature.slice(0, 20)}${(Number.parseInt(signature.slice(20, 21), 16) ^ 1).toString(16)}${signature.slice(21)}`

/** The same signature in the shape of x402 version 1. */
export function versionOne(payload: Payload): object {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload: payload.payload }
}
