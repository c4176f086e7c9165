import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentRequirements } from '@x402/core/types'
import { PRICE } from '../../skills/price.ts'
import type { Hex } from '../chain/chain-reader.ts'
import { BASE } from '../networks/base.ts'

/** The only network for payments: Base. */
export const NETWORK = BASE.id
export const CHAIN_ID = BASE.chainId
/** Seconds between signing and settling. */
export const MAX_TIMEOUT_SECONDS = 120

/** What an EIP-3009 authorization is signed for. */
export interface Token {
  /** Lower-case. */
  readonly asset: Hex
  /** EIP-712 domain of the token. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** The terms a single value is sold on, in the form the wire shows and in the form this layer compares. */
export interface Terms extends Token {
  /** As offered; frozen. */
  readonly requirements: PaymentRequirements
  /** Lower-case. */
  readonly payTo: Hex
  /** Price of one value, in atomic units. */
  readonly amount: bigint
}

/** Computes the terms once, at startup: the price of a value in USDC, payable to `payTo`. */
export async function buildTerms(server: x402ResourceServer, payTo: string): Promise<Terms> {
  const [requirements] = await server.buildPaymentRequirements({
    scheme: 'exact',
    network: NETWORK,
    payTo,
    price: PRICE,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  })
  if (requirements === undefined) throw new Error('no payment requirements for the exact scheme')
  const { name, version } = requirements.extra
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new Error('the asset has no EIP-712 domain')
  return {
    requirements: Object.freeze({ ...requirements, extra: Object.freeze({ ...requirements.extra }) }),
    asset: requirements.asset.toLowerCase() as Hex,
    payTo: requirements.payTo.toLowerCase() as Hex,
    amount: BigInt(requirements.amount),
    domain: { name, version },
  }
}
