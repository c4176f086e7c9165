/** Buyers that pay over channels by the thousand: their vouchers are signed before the clock runs. */
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { wireConfig } from '../../src/payments/channels/deposits/deposit-payload.ts'
import { channelDigests } from '../../src/payments/channels/voucher/digests.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { CHANNEL_SCHEME } from '../../src/payments/terms/channel-terms.ts'
import { restCall } from './paid-request.ts'
import { type Buyer, buyersOf, signDigest } from './sign-payments.ts'

const { channelIdOf, voucherDigest } = channelDigests(BASE)

const SALT = `0x${'0'.repeat(64)}`

/** The sum of all vouchers that were sent, by channel. */
export type ChannelBooks = Map<string, bigint>

export const createChannelBooks = (): ChannelBooks => new Map()

/** A buyer's channel on the terms of an offer, as the reference client opens it. */
export function channelOn({ address }: Pick<Buyer, 'address'>, { payTo, asset, extra }: PaymentRequirements) {
  const config = {
    payer: address.toLowerCase(),
    payerAuthorizer: address.toLowerCase(),
    receiver: payTo.toLowerCase(),
    receiverAuthorizer: String(extra.receiverAuthorizer).toLowerCase(),
    token: asset.toLowerCase(),
    withdrawDelay: Number(extra.withdrawDelay),
    salt: SALT,
  }
  return { id: channelIdOf(config), channelConfig: wireConfig(config) }
}

/** Signs vouchers of one channel, as the reference client does. */
export function voucherSigner(required: PaymentRequired, buyer: Buyer) {
  const accepted = required.accepts.find(({ scheme }) => scheme === CHANNEL_SCHEME)
  if (accepted === undefined) throw new Error('no channel offered')
  const { id, channelConfig } = channelOn(buyer, accepted)
  const { resource, extensions } = required
  const sign = (total: bigint): PaymentPayload => ({
    x402Version: 2,
    payload: {
      type: 'voucher',
      channelConfig,
      voucher: {
        channelId: id,
        maxClaimableAmount: total.toString(),
        signature: signDigest(voucherDigest(id, total), buyer.key),
      },
    },
    ...(extensions === undefined ? {} : { extensions }),
    ...(resource === undefined ? {} : { resource }),
    accepted,
  })
  return { id, price: BigInt(accepted.amount), sign }
}

/**
 * Calls of the IBAN check at the address of the terms, each with the next voucher of its channel. A channel belongs to one connection, so
 * that its vouchers arrive in their order.
 */
export function voucherRequests(
  books: ChannelBooks,
  options: { readonly required: PaymentRequired; readonly channels: number; readonly count: number },
  connections: number,
): (connection: number) => Buffer | undefined {
  const { required, channels, count } = options
  const { pathname } = new URL(required.resource?.url ?? '')
  const signers = buyersOf(channels).map((buyer) => voucherSigner(required, buyer))
  const totals = new Map(books)
  const lanes = Array.from({ length: connections }, () => [] as { id: string; total: bigint; call: Buffer }[])
  for (let index = 0; index < count; index += 1) {
    const channel = index % channels
    const { id, price, sign } = signers[channel]!
    const total = (totals.get(id) ?? 0n) + price
    totals.set(id, total)
    lanes[channel % connections]!.push({ id, total, call: restCall(pathname, sign(total)) })
  }
  for (const lane of lanes) lane.reverse()
  return (connection) => {
    const next = lanes[connection]!.pop()
    if (next !== undefined) books.set(next.id, next.total)
    return next?.call
  }
}
