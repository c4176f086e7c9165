import { x402Client } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { isObject } from '../json.ts'
import { member } from './json.ts'

/** Base, and USDC on it (Circle, "USDC contract addresses"); prices in dollars mean this token. */
const NETWORK = 'eip155:8453'
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

/** Whether terms ask for USDC on Base. */
export const isUsdcOnBase = ({ network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>): boolean =>
  network === NETWORK && String(asset).toLowerCase() === USDC

/** An authorization that lives longer could be charged long after its purchase was given up. */
const LONGEST_LIFE_SECONDS = 3_600
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The cheapest terms in USDC on Base; undefined if the offer has none to sign, or is no offer at all. */
export function termsInUsdc(required: PaymentRequired): PaymentRequirements | undefined {
  const { x402Version, accepts } = member(required)
  if (x402Version !== 2 || !Array.isArray(accepts)) return undefined
  return (accepts as PaymentRequirements[])
    .filter(isObject)
    .filter((terms) => terms.scheme === 'exact' && isUsdcOnBase(terms) && isSignable(terms))
    .filter(({ amount }) => typeof amount === 'string' && /^[0-9]{1,30}$/.test(amount))
    .sort((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? -1 : 1))[0]
}

/** Whether terms ask for a short authorization by EIP-3009: the library would sign Permit2 as well. */
export function isSignable({ payTo, maxTimeoutSeconds, extra }: PaymentRequirements): boolean {
  const { name, version, assetTransferMethod = 'eip3009' } = member(extra)
  return (
    typeof payTo === 'string' &&
    ADDRESS.test(payTo) &&
    Number.isSafeInteger(maxTimeoutSeconds) &&
    maxTimeoutSeconds <= LONGEST_LIFE_SECONDS &&
    typeof name === 'string' &&
    typeof version === 'string' &&
    assetTransferMethod === 'eip3009'
  )
}

export interface Wallet {
  /** Signs an EIP-3009 authorization for these terms of an offer; nothing is sent. */
  sign(required: PaymentRequired, terms: PaymentRequirements): Promise<PaymentPayload>
}

/** A wallet of one private key. */
export function createWallet(privateKey: `0x${string}`): Wallet {
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(privateKeyToAccount(privateKey)))
  return {
    sign: (required, terms) => client.createPaymentPayload({ ...required, accepts: [terms] }),
  }
}
