import type { PaymentPayload } from '@x402/core/types'
import type { CheckType } from 'format-checker-checks/verdict'
import type { PurchaseOutcome } from '../purchase.ts'
import { refusalIn } from '../reply.ts'
import { openRestClient } from '../rest-client.ts'
import { retry } from '../retry.ts'
import { accountOf, NoNode } from './channel-account.ts'
import { nextPayment, noted, type OrderOutcome, type SoldOrder, sendPending } from './channel-order.ts'
import { CHANNEL_PATH, type ChannelParts } from './channel-parts.ts'

export interface ChannelPurchase {
  readonly url: string
  readonly type: CheckType
  /** The most to pay for one check. Atomic units, as all amounts here. */
  readonly maxAmount: bigint
  readonly deposit: bigint
  /** The highest sum that a voucher may be signed for, earlier runs included; null for no bound. */
  readonly maxSpend: bigint | null
}

export type ChannelFailure =
  | Exclude<PurchaseOutcome, { kind: 'bought' | 'in_doubt' }>
  | Exclude<OrderOutcome, { kind: 'sold' | 'again' }>
  /** The service offers no channel, or not on terms that this buyer accepts. */
  | { readonly kind: 'no_channel' }
  | { readonly kind: 'max_spend' }
  | { readonly kind: 'deposit_too_small'; readonly needed: bigint }
  /** The account must be read from the chain, and no node answers. */
  | { readonly kind: 'no_node' }

export type ChannelOutcome =
  | ChannelFailure
  | (Extract<PurchaseOutcome, { kind: 'bought' }> & Pick<SoldOrder, 'account' | 'settle'>)

/** The most payments of one purchase: that of an earlier call, corrected ones, and its own. */
const MOST_ROUNDS = 4

/**
 * A payment is in the book from before it is sent until its answer has arrived. Meanwhile no other voucher is signed: the
 * same payment is sent again, even if the call is another one, since it cannot be charged twice.
 */
export async function buyOverChannel(
  purchase: ChannelPurchase,
  value: string,
  parts: ChannelParts,
): Promise<ChannelOutcome> {
  const { url, type, maxAmount, maxSpend } = purchase
  const { wallet, book, readChannel, backoff } = parts
  const client = openRestClient(url, type, CHANNEL_PATH)
  const offer = await client.ask(value).catch(() => null)
  if (offer === null) return { kind: 'unreachable', url }
  // A service without channels answers 404.
  if (offer.kind === 'sold' || ('status' in offer && offer.status === 404)) return { kind: 'no_channel' }
  if (offer.kind !== 'unpaid') return { kind: 'refused', ...refusalIn(offer) }
  const channel = wallet.channelOn(offer.required)
  if (channel === null) return { kind: 'no_channel' }
  if (channel.price > maxAmount) return { kind: 'price_too_high', terms: channel.terms }
  const order = {
    channel,
    call: book.callKey(type, value),
    send: (payload: PaymentPayload) => retry(client.prepaid(value, payload), backoff),
  }
  try {
    let account = book.find(channel.id) ?? accountOf(await readChannel(channel.id))
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (maxSpend !== null && (account.pending?.total ?? account.charged + channel.price) > maxSpend)
        return { kind: 'max_spend' }
      const pending =
        account.pending ?? (await nextPayment(order, parts, account, { ...purchase, clock: offer.clock }))
      if ('kind' in pending) return pending
      const outcome = await sendPending(order, parts, noted(parts, channel, account, pending))
      switch (outcome.kind) {
        case 'again':
          account = outcome.account
          break
        case 'sold': {
          const { result: verdict, kind: _, ...sold } = outcome
          return { kind: 'bought', verdict, ...sold, amount: channel.price.toString() }
        }
        default:
          return outcome
      }
    }
  } catch (error) {
    if (error instanceof NoNode) return { kind: 'no_node' }
    throw error
  }
  return { kind: 'not_proven' }
}
