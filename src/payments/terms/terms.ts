import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import { parseUnits } from 'viem/utils'
import { PRICE_USD } from '../../catalog/price.ts'
import type { Network } from '../networks/network.ts'

/** Seconds between signing and settling. */
export const MAX_TIMEOUT_SECONDS = 120

export interface Token {
  readonly asset: Hex
  /** EIP-712 domain of the token. */
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number }
}

export interface Terms extends Token {
  readonly network: Network
  /** As offered; frozen. */
  readonly requirements: PaymentRequirements
  readonly payTo: Hex
  /** Atomic units. */
  readonly amount: bigint
}

export async function buildTerms(
  server: x402ResourceServer,
  network: Network,
  payTo: string,
): Promise<Terms> {
  const { address: asset, decimals, domain } = network.token
  const [requirements] = await server.buildPaymentRequirements({
    scheme: 'exact',
    network: network.id,
    payTo,
    price: { asset, amount: parseUnits(PRICE_USD, decimals).toString(), extra: { ...domain } },
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  })
  if (requirements === undefined) throw new Error('no payment requirements for the exact scheme')
  return {
    network,
    requirements: Object.freeze({ ...requirements, extra: Object.freeze({ ...requirements.extra }) }),
    asset: requirements.asset.toLowerCase() as Hex,
    payTo: requirements.payTo.toLowerCase() as Hex,
    amount: BigInt(requirements.amount),
    domain: { ...domain, chainId: network.chainId },
  }
}
