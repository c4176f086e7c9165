import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentRequirements } from '@x402/core/types'
import { PRICE } from '../../skills/price.ts'
import type { Hex } from '../chain/chain-reader.ts'

/** The one network payments are taken on: Base. */
export const NETWORK = 'eip155:8453'
export const CHAIN_ID = 8453
/** Seconds a buyer is given between signing and settling. */
export const MAX_TIMEOUT_SECONDS = 120

/** The terms every call is sold on, in the form the wire shows and in the form this layer compares. */
export interface Terms {
  /** As offered; frozen. */
  readonly requirements: PaymentRequirements
  /** Lower-case. */
  readonly asset: Hex
  /** Lower-case. */
  readonly payTo: Hex
  /** Atomic units. */
  readonly amount: bigint
  /** EIP-712 domain of the token. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** Computes the terms once, at boot: the price of a call in USDC, payable to `payTo`. */
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
