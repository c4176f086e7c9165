import type { SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { NewChannel } from '../../../ledger/channels/channel-row.ts'
import type { PurchasedCall } from '../../sale/purchase/purchased-call.ts'
import type { ChannelContext } from '../channel-context.ts'

export const channelState = (row: NewChannel) => ({
  channelId: row.id,
  balance: row.balance.toString(),
  totalClaimed: row.totalClaimed.toString(),
  withdrawRequestedAt: row.withdrawRequestedAt,
  refundNonce: row.refundNonce.toString(),
  chargedCumulativeAmount: row.charged.toString(),
})

/** From this the stock client updates its own account (@x402/evm 2.27, `processPaymentResponse`). */
const channelExtra = (row: NewChannel) => ({
  channelState: channelState(row),
  chargedAmount: row.lastCall.amount.toString(),
})

export const settlementOf = ({ prices }: ChannelContext, row: NewChannel): SettleResponse => ({
  success: true,
  payer: getAddress(row.config.payer as Hex),
  transaction: row.lastCall.transaction ?? '',
  network: prices.network.id,
  extra: channelExtra(row),
})

/** The settlement with a signed receipt; every repeat of the call gets an equal one. */
export async function channelReceipt(
  { receiptOf, prices }: ChannelContext,
  row: NewChannel,
  call: PurchasedCall,
): Promise<SettleResponse> {
  const { lastCall, config } = row
  const paid = {
    ...lastCall,
    network: prices.network.id,
    payer: config.payer,
    payTo: config.receiver,
    transaction: lastCall.transaction ?? '',
    issuedAt: lastCall.chargedAt,
  }
  const receipt = await receiptOf(paid, { requestDigest: call.requestDigest, json: call.json })
  return { ...receipt, extra: channelExtra(row) }
}
