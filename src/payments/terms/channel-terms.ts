import type { PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { ChannelConfig } from '../../ledger/channels/channel-row.ts'
import type { Terms } from './terms.ts'

export const CHANNEL_SCHEME = 'batch-settlement'
/** The path at which the stock client asks for terms and refunds; calls over channels are sold below it. */
export const CHANNEL_PATH = '/api/channel'
/** Seconds from the start of a payer's withdrawal to its end: the time left to claim vouchers. */
export const WITHDRAW_DELAY = 86_400
/** Atomic units. A smaller deposit costs more gas than its calls bring in. */
const MIN_DEPOSIT = 250_000n

export interface ChannelTerms {
  readonly receiverAuthorizer: Hex
  requirementsFor(items: number): PaymentRequirements
  /** Atomic units. */
  minDeposit(items: number): bigint
  accepts(config: ChannelConfig): boolean
}

const NO_KEY = `0x${'0'.repeat(40)}`

/**
 * Vouchers are checked without the chain, so a key must sign them. A channel with the zero address as `payerAuthorizer`
 * lets a wallet contract sign and is not accepted; such a wallet can name a key.
 */
export function channelTerms(
  { requirements, amount, payTo, asset }: Terms,
  { authorizer }: { readonly authorizer: { readonly address: string } },
): ChannelTerms {
  const receiverAuthorizer = authorizer.address.toLowerCase() as Hex
  const checksummed = getAddress(authorizer.address)
  const minDeposit = (items: number) => {
    const price = amount * BigInt(items)
    return price > MIN_DEPOSIT ? price : MIN_DEPOSIT
  }
  const requirementsFor = (items: number): PaymentRequirements => ({
    ...requirements,
    scheme: CHANNEL_SCHEME,
    amount: (amount * BigInt(items)).toString(),
    extra: {
      ...requirements.extra,
      receiverAuthorizer: checksummed,
      withdrawDelay: WITHDRAW_DELAY,
      minDeposit: minDeposit(items).toString(),
    },
  })
  return {
    receiverAuthorizer,
    minDeposit,
    requirementsFor,
    accepts: (config) =>
      config.receiver === payTo &&
      config.receiverAuthorizer === receiverAuthorizer &&
      config.token === asset &&
      config.withdrawDelay === WITHDRAW_DELAY &&
      config.payerAuthorizer !== NO_KEY,
  }
}
