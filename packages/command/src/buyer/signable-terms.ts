import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import type { Network } from '../../../../src/payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'
import { ADDRESS } from '../../../../src/values/hex.ts'
import { isObject } from '../../../../src/values/json.ts'
import type { ServiceClock } from './clocks.ts'
import { member } from './json.ts'
import type { NotSigned } from './purchase.ts'
import { ANSWERED_UNPAID, type Pay, type Reply, refusalIn } from './reply.ts'

export const isUsdcOn = (
  { id, token }: Network,
  { network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>,
): boolean => network === id && isAddress(asset) && asset.toLowerCase() === token.address.toLowerCase()

/** An authorization that is valid longer could be charged long after the buyer gave up. */
const LONGEST_LIFE_SECONDS = 3_600

/** Terms are asked for again after this time: a buyer may run for months, and the service may change them. */
export const TERMS_LIFE_MS = 600_000

export interface Offered {
  readonly kind: 'offered'
  readonly required: PaymentRequired
  readonly terms: PaymentRequirements
  readonly clock?: ServiceClock | undefined
  readonly pay?: Pay
}

/** `reply`: to a request without a payment. `maxAmount`: atomic units. */
export function offeredIn(
  reply: Reply<unknown>,
  { maxAmount, network }: { readonly maxAmount: bigint; readonly network?: Network },
): Offered | NotSigned {
  if (reply.kind === 'sold') return { kind: 'refused', ...ANSWERED_UNPAID }
  if (reply.kind !== 'unpaid') return { kind: 'refused', ...refusalIn(reply) }
  const { required, clock, pay } = reply
  const terms = termsInUsdc(required, network)
  return terms === undefined || BigInt(terms.amount) > maxAmount
    ? { kind: 'price_too_high', terms: terms ?? null }
    : { kind: 'offered', required, terms, clock, ...(pay && { pay }) }
}

/** The cheapest that may be signed. */
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
    .sort((a, b) => Number(BigInt(a.amount) - BigInt(b.amount)))[0]
}

/** Whether terms ask for a short authorization by EIP-3009; the library would also sign for Permit2. */
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

/** Atomic units, as decimal text. */
export const isAmount = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]{1,30}$/.test(value)
