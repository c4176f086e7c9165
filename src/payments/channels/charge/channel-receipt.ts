import type { SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import type { PurchasedCall } from '../../sale/purchase/purchased-call.ts'
import type { ChannelContext } from '../channel-context.ts'

/** The account of a channel, as the scheme's `channelState`. */
export const channelState = (row: ChannelRow) => ({
  channelId: row.id,
  balance: row.balance.toString(),
  totalClaimed: row.totalClaimed.toString(),
  withdrawRequestedAt: row.withdrawRequestedAt,
  refundNonce: row.refundNonce.toString(),
  chargedCumulativeAmount: row.charged.toString(),
})

/**
 * What the stock client reads to move its own account on: the price of the call and the sum of all.
 *
 * Source: `processPaymentResponse` of @x402/evm 2.27, batch-settlement client.
 */
const channelExtra = (row: ChannelRow) => ({
  channelState: channelState(row),
  chargedAmount: row.lastCall.amount.toString(),
})

/** The settlement of the channel's newest call, without a receipt: what was charged, and the account after it. */
export const settlementOf = (
  { prices }: Pick<ChannelContext, 'prices'>,
  row: ChannelRow,
): SettleResponse => ({
  success: true,
  payer: getAddress(row.config.payer as Hex),
  transaction: row.lastCall.transaction ?? '',
  network: prices.network.id,
  extra: channelExtra(row),
})

/** The same with a signed receipt; built from the row and the call, so that repetitions get an equal one. */
export async function channelReceipt(
  { receiptOf, prices }: Pick<ChannelContext, 'receiptOf' | 'prices'>,
  row: ChannelRow,
  call: PurchasedCall,
): Promise<SettleResponse> {
  const { lastCall, config } = row
  const paid = {
    ...lastCall,
    network: prices.network.id,
    payer: config.payer,
    transaction: lastCall.transaction ?? '',
    issuedAt: lastCall.chargedAt,
  }
  const receipt = await receiptOf(paid, { requestDigest: call.requestDigest(), json: call.json })
  return { ...receipt, extra: channelExtra(row) }
}
