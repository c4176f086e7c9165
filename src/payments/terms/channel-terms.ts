import type { PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { ChannelConfig } from '../../ledger/channel-store.ts'
import type { Terms } from './terms.ts'

/** The scheme of payment channels in x402 version 2. */
export const CHANNEL_SCHEME = 'batch-settlement'
/** Seconds between the start of a payer's withdrawal and its end: the time in which vouchers can be claimed. */
export const WITHDRAW_DELAY = 86_400
/** Atomic units. A smaller deposit costs more gas than its calls bring in. */
const MIN_DEPOSIT = 250_000n

export interface ChannelTerms {
  /** Lower-case address of the key that signs claims and refunds. */
  readonly receiverAuthorizer: Hex
  /** The offer for a call of so many values; equal on every call. */
  requirementsFor(items: number): PaymentRequirements
  /** The least deposit that comes with a call of so many values, in atomic units. */
  minDeposit(items: number): bigint
  /** Whether a channel pays us, in our token, and leaves us the time to claim. */
  accepts(config: ChannelConfig): boolean
}

/** The offers of most lists are asked for again and again. */
const MOST_OFFERS = 1_001
const NO_KEY = `0x${'0'.repeat(40)}`

/**
 * Builds the terms of channels beside those of single payments: the same price, token and payee.
 *
 * Vouchers are checked without a chain, so their signer must be a key: a channel whose `payerAuthorizer` is the zero
 * address, which lets a wallet contract sign, is not accepted. Such a wallet names a key of its own.
 */
export function channelTerms(
  { requirements, amount, payTo, asset }: Terms,
  authorizer: string,
): ChannelTerms {
  const receiverAuthorizer = authorizer.toLowerCase() as Hex
  const offers = new Map<number, PaymentRequirements>()
  const minDeposit = (items: number) => {
    const price = amount * BigInt(items)
    return price > MIN_DEPOSIT ? price : MIN_DEPOSIT
  }
  const offer = (items: number): PaymentRequirements => ({
    scheme: CHANNEL_SCHEME,
    network: requirements.network,
    amount: (amount * BigInt(items)).toString(),
    asset: requirements.asset,
    payTo: requirements.payTo,
    maxTimeoutSeconds: requirements.maxTimeoutSeconds,
    extra: {
      ...requirements.extra,
      receiverAuthorizer: getAddress(receiverAuthorizer),
      withdrawDelay: WITHDRAW_DELAY,
      minDeposit: minDeposit(items).toString(),
    },
  })
  return {
    receiverAuthorizer,
    minDeposit,
    requirementsFor(items) {
      const known = offers.get(items)
      if (known !== undefined) return known
      const made = offer(items)
      if (offers.size < MOST_OFFERS) offers.set(items, made)
      return made
    },
    accepts: (config) =>
      config.receiver === payTo &&
      config.receiverAuthorizer === receiverAuthorizer &&
      config.token === asset &&
      config.withdrawDelay === WITHDRAW_DELAY &&
      config.payerAuthorizer !== NO_KEY,
  }
}
