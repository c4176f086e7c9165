import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { claimBatchTypes, refundTypes } from '@x402/evm'
import type { Hex } from 'viem'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import { CHANNEL_SCHEME } from '../../terms/channel-terms.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { wireConfig } from '../deposits/deposit-payload.ts'
import { channelDomain } from '../voucher/digests.ts'

type Signer = Pick<ChannelContext, 'authorizer' | 'prices'>

/** The authorizer's signature over what is claimed of each channel: all that was charged. */
export const signClaims = ({ authorizer, prices }: Signer, rows: readonly ChannelRow[]): Promise<Hex> =>
  authorizer.signTypedData({
    domain: channelDomain(prices.network),
    types: claimBatchTypes,
    primaryType: 'ClaimBatch',
    message: {
      claims: rows.map((row) => ({
        channelId: row.id as Hex,
        maxClaimableAmount: row.charged,
        totalClaimed: claimableOf(row),
      })),
    },
  })

/** The authorizer's signature over a refund of so many atomic units, good for one refund nonce and without an end. */
export const signRefund = (
  { authorizer, prices }: Signer,
  id: string,
  nonce: bigint,
  amount: bigint,
): Promise<Hex> =>
  authorizer.signTypedData({
    domain: channelDomain(prices.network),
    types: refundTypes,
    primaryType: 'Refund',
    message: { channelId: id as Hex, nonce, amount },
  })

export const wireClaim = (row: ChannelRow) => ({
  voucher: { channel: wireConfig(row.config), maxClaimableAmount: row.charged.toString() },
  signature: row.signature,
  totalClaimed: claimableOf(row).toString(),
})

/** Sends an act of the scheme that is no payment: a claim, a refund or a sweep. */
export function settleAct(
  { facilitator, prices }: Pick<ChannelContext, 'facilitator' | 'prices'>,
  payload: Record<string, unknown>,
): Promise<SettleResponse> {
  const requirements: PaymentRequirements = {
    scheme: CHANNEL_SCHEME,
    network: prices.requirements.network,
    asset: prices.requirements.asset,
    amount: '0',
    payTo: prices.requirements.payTo,
    maxTimeoutSeconds: 0,
    extra: {},
  }
  const payment: PaymentPayload = { x402Version: 2, accepted: requirements, payload }
  return facilitator.settle(payment, requirements)
}
