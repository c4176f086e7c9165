import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { claimBatchTypes, refundTypes } from '@x402/evm'
import type { Hex } from 'viem'
import type { ChannelRow } from '../../../ledger/channels/channel-row.ts'
import { CHANNEL_SCHEME } from '../../terms/channel-terms.ts'
import { claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { wireConfig } from '../deposits/deposit-payload.ts'
import { channelDomain } from '../voucher/digests.ts'

export const signClaims = (
  { authorizer, prices }: ChannelContext,
  rows: readonly ChannelRow[],
): Promise<Hex> =>
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

/** `amount` in atomic units. The signature is valid for one refund nonce, without an end. */
export const signRefund = (
  { authorizer, prices }: ChannelContext,
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

export function settleAct(
  { facilitator, prices }: ChannelContext,
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
