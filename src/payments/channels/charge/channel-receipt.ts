import type { SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import type { SurfaceName } from '../../ports/sale.ts'
import type { PurchasedCall } from '../../sale/purchase/purchased-call.ts'
import { signBought } from '../../sale/purchase/receipt.ts'
import { resourceUrl } from '../../terms/quotes.ts'
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
export async function receiptOf(
  { signer, baseUrl, bindings, prices }: Pick<ChannelContext, 'signer' | 'baseUrl' | 'bindings' | 'prices'>,
  row: ChannelRow,
  call: PurchasedCall,
): Promise<SettleResponse> {
  const { lastCall } = row
  const payload = {
    version: 1,
    network: prices.network.id,
    resourceUrl: resourceUrl(baseUrl, lastCall.checkType, lastCall.surface as SurfaceName, lastCall.shape),
    payer: getAddress(row.config.payer as Hex),
    issuedAt: Math.floor(lastCall.chargedAt / 1000),
    transaction: lastCall.transaction ?? '',
    amount: lastCall.amount.toString(),
  } as const
  const bought = { requestDigest: call.requestDigest(), json: call.json }
  const receipt = await signBought(signer, payload, bought, await bindings.receiptSalt(lastCall))
  return { ...receipt, extra: channelExtra(row) }
}
