import type { SettleResponse } from '@x402/core/types'
import type { CheckType } from '../../checks/verdict.ts'
import { member, textOf } from '../json.ts'
import type { PurchaseOutcome } from '../purchase.ts'
import type { CheckClient, Refusal } from '../reply.ts'
import { openRestClient } from '../rest-client.ts'
import { DEFAULT_BACKOFF, type FinalReply, retry } from '../retry.ts'
import { accountOf, type ChannelAccount, type PendingCall } from './channel-account.ts'
import { type ChannelParts, correct, NoNode, readFrom } from './channel-parts.ts'
import type { OwnChannel } from './channel-wallet.ts'

/** What to buy over a channel, where, and within which bounds. */
export interface ChannelPurchase {
  /** Base URL of the service. */
  readonly url: string
  readonly type: CheckType
  /** The most to pay for one check. Atomic units, as all amounts here. */
  readonly maxAmount: bigint
  /** What is deposited when the channel has too little. */
  readonly deposit: bigint
  /** The most that vouchers of the channel may add up to, earlier runs included; null for no bound. */
  readonly maxSpend: bigint | null
}

export type ChannelOutcome =
  | Exclude<PurchaseOutcome, { kind: 'bought' | 'in_doubt' }>
  | (Extract<PurchaseOutcome, { kind: 'bought' }> & {
      readonly account: ChannelAccount
      /** Must be called once the answer is where it should be; until then the same purchase gets it again, unpaid. */
      readonly settle: () => void
    })
  /** Signed and sent, and not known to be charged; the same command sends it again. */
  | (Refusal & { readonly kind: 'unanswered' })
  /** No channel on terms that this buyer opens. */
  | { readonly kind: 'no_channel' }
  | { readonly kind: 'max_spend' }
  /** A call needs a larger deposit than the bound allows. */
  | { readonly kind: 'deposit_too_small'; readonly needed: bigint }
  /** The service names an account that it does not prove. */
  | { readonly kind: 'not_proven' }
  /** The account can only be read from the chain, and no node answers. */
  | { readonly kind: 'no_node' }

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
  const { wallet, book } = parts
  const client = openRestClient(url, type)
  const offer = await client.ask(value).catch(() => null)
  if (offer === null) return { kind: 'unreachable', url }
  if (offer.kind !== 'unpaid')
    return offer.kind === 'sold' ? { kind: 'no_channel' } : refusalOf('refused', offer)
  const channel = wallet.channelOn(offer.required)
  if (channel === null) return { kind: 'no_channel' }
  if (channel.price > maxAmount) return { kind: 'price_too_high', terms: channel.terms }
  const call = book.callKey(type, value)
  try {
    let account = book.find(channel.id) ?? accountOf(await readFrom(parts)(channel.id))
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const pending = account.pending ?? (await nextPayment(purchase, parts, channel, account, call))
      if ('kind' in pending) return pending
      if (maxSpend !== null && pending.total > maxSpend) return { kind: 'max_spend' }
      account = noted(parts, channel, account, pending)
      const reply = await send(client, value, pending, parts)
      const heard = await hear({ parts, channel, account, pending, call }, reply)
      if (heard.kind !== 'again') return heard
      account = heard.account
    }
  } catch (error) {
    if (error instanceof NoNode) return { kind: 'no_node' }
    throw error
  }
  return { kind: 'not_proven' }
}

/** The next payment of a channel; deposits if the balance does not cover it. */
async function nextPayment(
  { deposit, maxSpend }: ChannelPurchase,
  { wallet }: ChannelParts,
  channel: OwnChannel,
  { charged, balance }: ChannelAccount,
  call: string,
): Promise<PendingCall | ChannelOutcome> {
  const total = charged + channel.price
  if (maxSpend !== null && total > maxSpend) return { kind: 'max_spend' }
  const missing = total - balance
  const needed = missing > channel.minDeposit ? missing : channel.minDeposit
  if (missing > 0n && deposit < needed) return { kind: 'deposit_too_small', needed }
  const added = missing > 0n ? deposit : 0n
  return { payload: await wallet.sign(channel, total, added), total, deposit: added, call }
}

function noted(
  { book }: ChannelParts,
  { id }: OwnChannel,
  account: ChannelAccount,
  pending: PendingCall,
): ChannelAccount {
  const signed = pending.total > account.signed ? pending.total : account.signed
  const next = { ...account, signed, pending }
  book.write(id, next)
  return next
}

const send = (client: CheckClient, value: string, { payload }: PendingCall, { backoff }: ChannelParts) =>
  retry(client.prepaid(value, payload), backoff ?? DEFAULT_BACKOFF)

interface Sent {
  readonly parts: ChannelParts
  readonly channel: OwnChannel
  readonly account: ChannelAccount
  readonly pending: PendingCall
  readonly call: string
}

type Heard = ChannelOutcome | { readonly kind: 'again'; readonly account: ChannelAccount }

async function hear(sent: Sent, reply: FinalReply): Promise<Heard> {
  const { channel, account, pending, call } = sent
  switch (reply.kind) {
    case 'sold': {
      const settled = afterCharge(account, pending)
      const settle = () => void write(sent, settled)
      const { result: verdict, settlement, replayed } = reply
      const amount = channel.price.toString()
      return { kind: 'bought', verdict, settlement, replayed, amount, account: settled, settle }
    }
    case 'unpaid': {
      if (reply.code === 'channel_out_of_step') {
        const corrected = await correct(sent.parts, channel, account, reply.required)
        return corrected === null ? { kind: 'not_proven' } : { kind: 'again', account: corrected }
      }
      const open = write(sent, { ...account, pending: null })
      // A deposit that ran out unsent; another one takes its place.
      return reply.code === 'payment_expired' && pending.deposit > 0n
        ? { kind: 'again', account: open }
        : refusalOf('refused', reply)
    }
    case 'refused': {
      if (!isChargeOf(pending, reply.settlement)) return refusalOf('refused', reply)
      const settled = write(sent, afterCharge(account, pending))
      // The answer to this very call is gone, and it was paid for: to buy it again is the buyer's choice.
      const isLost = reply.code === 'replay_window_over' && pending.call === call
      return isLost ? refusalOf('refused', reply) : { kind: 'again', account: settled }
    }
    case 'in_doubt':
      return refusalOf('unanswered', reply)
  }
}

function write({ parts, channel }: Sent, account: ChannelAccount): ChannelAccount {
  parts.book.write(channel.id, account)
  return account
}

const afterCharge = (account: ChannelAccount, { total, deposit }: PendingCall): ChannelAccount => ({
  ...account,
  balance: account.balance + deposit,
  charged: total,
  pending: null,
})

/** Whether a refusal says that this very voucher was charged for an earlier call. */
const isChargeOf = ({ total }: PendingCall, settlement: SettleResponse | undefined): boolean =>
  settlement?.success === true &&
  textOf(member(settlement.extra, 'channelState'), 'chargedCumulativeAmount') === total.toString()

const refusalOf = <K extends 'refused' | 'unanswered'>(kind: K, { status, code, detail }: Refusal) =>
  ({ kind, status, code, detail }) as const
