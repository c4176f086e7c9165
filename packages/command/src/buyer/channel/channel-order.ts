import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { type ClocksDiffer, clockFault, type ServiceClock } from '../clocks.ts'
import { member, textOf } from '../json.ts'
import { type Refusal, type Reply, refusalIn } from '../reply.ts'
import type { FinalReply } from '../retry.ts'
import type { ChannelAccount, PendingCall } from './channel-account.ts'
import { type ChannelParts, correct } from './channel-parts.ts'
import type { OwnChannel } from './channel-wallet.ts'

export interface ChannelOrder {
  readonly channel: OwnChannel
  /** As in {@link PendingCall}. */
  readonly call: string
  readonly send: (payload: PaymentPayload) => Promise<FinalReply>
}

export type SoldOrder = Extract<Reply, { kind: 'sold' }> & {
  readonly account: ChannelAccount
  /** Books the charge. Must be called once the answer is delivered; until then the same order gets it again, unpaid. */
  readonly settle: () => void
}

export type OrderOutcome =
  | SoldOrder
  /** The payment is over and has bought nothing for this order, which needs another one. */
  | { readonly kind: 'again'; readonly account: ChannelAccount }
  | (Refusal & { readonly kind: 'refused' })
  /** Signed and sent, and not known to be charged; the same order sends it again. */
  | (Refusal & { readonly kind: 'unanswered' })
  /** The service names an account that it does not prove. */
  | { readonly kind: 'not_proven' }
  /** The deposit of another call may still be taken; a new payment would deposit a second time. */
  | { readonly kind: 'deposit_under_way' }

const CORRECTED: ReadonlySet<string> = new Set(['channel_out_of_step', 'payment_locked'])

/** `deposit`: atomic units, only added if the balance does not cover the payment. */
export async function nextPayment(
  { channel, call }: Pick<ChannelOrder, 'channel' | 'call'>,
  { wallet }: Pick<ChannelParts, 'wallet'>,
  { charged, balance }: ChannelAccount,
  { deposit, clock }: { readonly deposit: bigint; readonly clock: ServiceClock | undefined },
): Promise<PendingCall | ClocksDiffer | { readonly kind: 'deposit_too_small'; readonly needed: bigint }> {
  const total = charged + channel.price
  const missing = total - balance
  const needed = missing > channel.minDeposit ? missing : channel.minDeposit
  if (missing > 0n && needed > deposit) return { kind: 'deposit_too_small', needed }
  const added = missing > 0n ? deposit : 0n
  // A voucher has no time.
  const fault = added > 0n ? clockFault({ clock, terms: channel.terms }) : null
  if (fault !== null) return fault
  return { payload: await wallet.sign(channel, total, added), total, deposit: added, call }
}

/** Writes a payment to the book; must return before the payment is sent. */
export function noted(
  { book }: Pick<ChannelParts, 'book'>,
  { id }: Pick<OwnChannel, 'id'>,
  account: ChannelAccount,
  pending: PendingCall,
): ChannelAccount & { readonly pending: PendingCall } {
  const signed = pending.total > account.signed ? pending.total : account.signed
  const next = { ...account, signed, pending }
  book.write(id, next)
  return next
}

/**
 * Sends the pending payment of a channel, which may be of another call. Rejects with `NoNode` if the account must be read
 * from the chain, and no node answers.
 */
export async function sendPending(
  order: ChannelOrder,
  parts: ChannelParts,
  account: ChannelAccount & { readonly pending: PendingCall },
): Promise<OrderOutcome> {
  const { channel, call } = order
  const { pending } = account
  const isOwn = pending.call === call
  const write = (next: ChannelAccount) => {
    parts.book.write(channel.id, next)
    return next
  }
  const reply = await order.send(pending.payload)
  switch (reply.kind) {
    case 'sold': {
      // An answer that is replayed from the charge before leaves this payment unused.
      const isCharged = !reply.replayed || !isSumOf(account.charged, reply.settlement)
      const settled = isCharged ? afterCharge(account, pending) : { ...account, pending: null }
      return { ...reply, account: settled, settle: () => void write(settled) }
    }
    case 'unpaid': {
      if (CORRECTED.has(reply.code)) {
        const corrected =
          (await correct(parts, channel, account, reply.required)) ??
          (await askByNothing(order, parts, account, reply.required))
        return corrected === null ? { kind: 'not_proven' } : { kind: 'again', account: corrected }
      }
      if (!isOwn) return dropForeign(parts, channel, account, write)
      // A deposit may be taken until it runs out, whatever the service says: the next command sends it again.
      if (pending.deposit > 0n && !hasRunOut(pending.payload)) return { kind: 'refused', ...refusalIn(reply) }
      const open = write({ ...account, pending: null })
      // The deposit ran out before it was taken: another one takes its place.
      return reply.code === 'payment_expired' && pending.deposit > 0n
        ? { kind: 'again', account: open }
        : { kind: 'refused', ...refusalIn(reply) }
    }
    case 'refused': {
      const isCharged = isSumOf(pending.total, reply.settlement)
      if (!isCharged) return { kind: 'refused', ...refusalIn(reply) }
      const settled = write(afterCharge(account, pending))
      // This very call was paid for, and its answer is no longer kept: the buyer decides whether to pay again.
      return reply.code === 'replay_window_over' && isOwn
        ? { kind: 'refused', ...refusalIn(reply) }
        : { kind: 'again', account: settled }
    }
    case 'in_doubt':
      return { kind: 'unanswered', ...refusalIn(reply) }
  }
}

/**
 * Asks for the account with a voucher over 0, which is never claimed; null if the service has named an account already. A
 * service names none to a voucher that a claim may have made public, and a book older than the claim signs such a voucher.
 */
async function askByNothing(
  { channel, send }: ChannelOrder,
  parts: ChannelParts,
  account: ChannelAccount,
  required: PaymentRequired,
): Promise<ChannelAccount | null> {
  const named = parts.wallet.channelOn(required)
  if (named === null || 'voucherState' in named.terms.extra) return null
  const reply = await send(await parts.wallet.sign(channel, 0n, 0n))
  const isNamed = reply.kind === 'unpaid' && reply.code === 'channel_out_of_step'
  return isNamed ? correct(parts, channel, account, reply.required) : null
}

/** Gives up the payment of another call, which the service refuses for this one: their prices differ. */
async function dropForeign(
  parts: Pick<ChannelParts, 'readChannel'>,
  { id }: Pick<OwnChannel, 'id'>,
  account: ChannelAccount & { readonly pending: PendingCall },
  write: (next: ChannelAccount) => ChannelAccount,
): Promise<OrderOutcome> {
  const { payload, deposit } = account.pending
  const again = (next: ChannelAccount) =>
    ({ kind: 'again', account: write({ ...next, pending: null }) }) as const
  if (deposit === 0n) return again(account)
  if (!hasRunOut(payload, CLOCK_SECONDS)) return { kind: 'deposit_under_way' }
  // It may have been taken before it ran out.
  const { balance } = await parts.readChannel(id)
  return again({ ...account, balance })
}

/** How far this machine's clock may be ahead of the chain's. */
const CLOCK_SECONDS = 300

function hasRunOut(payload: PaymentPayload, seconds = 0): boolean {
  const authorization = member(payload, 'payload', 'deposit', 'authorization', 'erc3009Authorization')
  return Date.now() / 1_000 > Number(textOf(authorization, 'validBefore', 'never')) + seconds
}

const afterCharge = (account: ChannelAccount, { total, deposit }: PendingCall): ChannelAccount => ({
  ...account,
  balance: account.balance + deposit,
  charged: total,
  pending: null,
})

const isSumOf = (sum: bigint, settlement: SettleResponse | undefined): boolean =>
  settlement?.success === true &&
  textOf(member(settlement.extra, 'channelState'), 'chargedCumulativeAmount') === sum.toString()
