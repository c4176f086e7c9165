import type { PaymentPayload } from '@x402/core/types'
import type { CheckType } from '../../checks/verdict.ts'
import type { PurchaseOutcome } from '../purchase.ts'
import type { Refusal } from '../reply.ts'
import { openRestClient } from '../rest-client.ts'
import { DEFAULT_BACKOFF, retry } from '../retry.ts'
import { ASK_FOR_CHANNELS } from './ask-for-channels.ts'
import { accountOf, type ChannelAccount } from './channel-account.ts'
import { nextPayment, noted, sendPending } from './channel-order.ts'
import { type ChannelParts, NoNode, readFrom } from './channel-parts.ts'

export interface ChannelPurchase {
  readonly url: string
  readonly type: CheckType
  /** The most to pay for one check. Atomic units, as all amounts here. */
  readonly maxAmount: bigint
  /** What is deposited when the channel has too little. */
  readonly deposit: bigint
  /** The most that vouchers of the channel may add up to, earlier runs included; null for no bound. */
  readonly maxSpend: bigint | null
}

export type ChannelFailure =
  | Exclude<PurchaseOutcome, { kind: 'bought' | 'in_doubt' }>
  /** Signed and sent, and not known to be charged; the same command sends it again. */
  | (Refusal & { readonly kind: 'unanswered' })
  /** No channel on terms that this buyer opens. */
  | { readonly kind: 'no_channel' }
  | { readonly kind: 'max_spend' }
  /** A call needs a larger deposit than the bound allows. */
  | { readonly kind: 'deposit_too_small'; readonly needed: bigint }
  /** The service names an account that it does not prove. */
  | { readonly kind: 'not_proven' }
  /** The deposit of another command may still be taken, so that none is signed. */
  | { readonly kind: 'deposit_under_way' }
  /** The account can only be read from the chain, and no node answers. */
  | { readonly kind: 'no_node' }

export type ChannelOutcome =
  | ChannelFailure
  | (Extract<PurchaseOutcome, { kind: 'bought' }> & {
      readonly account: ChannelAccount
      /** Must be called once the answer is where it should be; until then the same purchase gets it again, unpaid. */
      readonly settle: () => void
    })

/** How often one purchase is corrected, or goes on from a voucher that was charged before. */
const MOST_ROUNDS = 4

/**
 * Buys one check over a channel.
 *
 * A payment is in the book before it is sent and stays there until its answer has arrived. Until then no other voucher is
 * signed: the same payment is sent again, which cannot be charged twice, also for another call.
 */
export async function buyOverChannel(
  purchase: ChannelPurchase,
  value: string,
  parts: ChannelParts,
): Promise<ChannelOutcome> {
  const { url, type, maxAmount, maxSpend } = purchase
  const { wallet, book, backoff = DEFAULT_BACKOFF } = parts
  const client = openRestClient(url, type, ASK_FOR_CHANNELS)
  const offer = await client.ask(value).catch(() => null)
  if (offer === null) return { kind: 'unreachable', url }
  if (offer.kind === 'sold') return { kind: 'no_channel' }
  if (offer.kind !== 'unpaid')
    return { kind: 'refused', status: offer.status, code: offer.code, detail: offer.detail }
  const channel = wallet.channelOn(offer.required)
  if (channel === null) return { kind: 'no_channel' }
  if (channel.price > maxAmount) return { kind: 'price_too_high', terms: channel.terms }
  const order = {
    channel,
    call: book.callKey(type, value),
    send: (payload: PaymentPayload) => retry(client.prepaid(value, payload), backoff),
  }
  try {
    let account = book.find(channel.id) ?? accountOf(await readFrom(parts)(channel.id))
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (maxSpend !== null && (account.pending?.total ?? account.charged + channel.price) > maxSpend)
        return { kind: 'max_spend' }
      const pending = account.pending ?? (await nextPayment(order, parts, account, purchase.deposit))
      if ('kind' in pending) return pending
      const outcome = await sendPending(order, parts, noted(parts, channel, account, pending))
      switch (outcome.kind) {
        case 'again':
          account = outcome.account
          break
        case 'sold': {
          const { result: verdict, kind: _, ...rest } = outcome
          return { kind: 'bought', verdict, ...rest, amount: channel.price.toString() }
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
