import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import { ADDRESS } from '../hex.ts'
import { isObject } from '../json.ts'
import type { Network } from '../payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../payments/networks/networks.ts'
import { member } from './json.ts'
import type { NotSigned } from './purchase.ts'
import { ANSWERED_UNPAID, type Pay, type Reply } from './reply.ts'

/** Whether terms ask for USDC on a network; prices in dollars mean this token. */
export const isUsdcOn = (
  { id, token }: Network,
  { network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>,
): boolean => network === id && isAddress(asset) && asset.toLowerCase() === token.address.toLowerCase()

/** An authorization that lives longer could be charged long after its purchase was given up. */
const LONGEST_LIFE_SECONDS = 3_600

/** How long terms are paid by without asking again: a buyer may live for months, and the service may change them. */
export const TERMS_LIFE_MS = 600_000

export interface Offered<T> {
  readonly kind: 'offered'
  readonly required: PaymentRequired
  readonly terms: PaymentRequirements
  readonly pay: Pay<T>
}

/** What an unpaid request was offered, if the terms may be signed at all and for at most so much. */
export function offeredIn<T>(
  reply: Reply<T>,
  { maxAmount, network }: { readonly maxAmount: bigint; readonly network?: Network },
): Offered<T> | NotSigned {
  if (reply.kind === 'sold') return { kind: 'refused', ...ANSWERED_UNPAID }
  const { status, code, detail } = reply
  if (reply.kind !== 'unpaid') return { kind: 'refused', status, code, detail }
  const { required, pay } = reply
  const terms = termsInUsdc(required, network)
  return terms === undefined || BigInt(terms.amount) > maxAmount
    ? { kind: 'price_too_high', terms: terms ?? null }
    : { kind: 'offered', required, terms, pay }
}

/** The cheapest terms in USDC on a network; undefined if the offer has none to sign, or is no offer at all. */
export function termsInUsdc(
  required: PaymentRequired,
  network: Network = DEFAULT_NETWORK,
): PaymentRequirements | undefined {
  const { x402Version, accepts } = member(required)
  if (x402Version !== 2 || !Array.isArray(accepts)) return undefined
  return (accepts as PaymentRequirements[])
    .filter(isObject)
    .filter((terms) => terms.scheme === 'exact' && isUsdcOn(network, terms) && isSignable(terms))
    .filter(({ amount }) => isAmount(amount))
    .sort((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? -1 : 1))[0]
}

/** Whether terms ask for a short authorization by EIP-3009: the library would sign Permit2 as well. */
export function isSignable({ payTo, maxTimeoutSeconds, extra }: PaymentRequirements): boolean {
  const { name, version, assetTransferMethod = 'eip3009' } = member(extra)
  return (
    isAddress(payTo) &&
    Number.isSafeInteger(maxTimeoutSeconds) &&
    maxTimeoutSeconds <= LONGEST_LIFE_SECONDS &&
    typeof name === 'string' &&
    typeof version === 'string' &&
    assetTransferMethod === 'eip3009'
  )
}

export const isAddress = (value: unknown): value is Hex => typeof value === 'string' && ADDRESS.test(value)

/** Atomic units, as terms write them. */
export const isAmount = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]{1,30}$/.test(value)
