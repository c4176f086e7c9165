import type { PaymentPayload } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME } from '@x402/evm'
import { accountOf } from '../../buyer/channel/channel-account.ts'
import { MOST_ROUNDS } from '../../buyer/channel/channel-buyer.ts'
import {
  type ChannelOrder,
  type DepositRule,
  nextPayment,
  noted,
  type OrderOutcome,
  sendPending,
} from '../../buyer/channel/channel-order.ts'
import { type ChannelParts, NoNode, readFrom } from '../../buyer/channel/channel-parts.ts'
import type { OwnChannel } from '../../buyer/channel/channel-wallet.ts'
import { member, textOf } from '../../buyer/json.ts'
import type { ListBuyer } from '../../buyer/list-buyer.ts'
import type { Verdict } from '../../checks/verdict.ts'
import { describe } from '../buy/describe-purchase.ts'
import type { Journal, PendingPayment } from '../list/journal.ts'
import { type Batch, fill, type ListPayer, lose, type Stop, stopAtLimit } from '../list/list-payer.ts'
import { usdc } from '../usdc.ts'
import { type ChannelFile, listCall } from './channel-file.ts'
import { describeFailure } from './describe-failure.ts'

export interface ChannelPayerOptions {
  readonly parts: ChannelParts & { readonly book: ChannelFile }
  readonly buyer: ListBuyer
  readonly journal: Journal
  readonly deposit: DepositRule
  /** The most to spend on this list, earlier runs included; atomic units. */
  readonly maxSpend: bigint | null
  /** Aborted: no further payment is signed. */
  readonly signal: AbortSignal
}

type Outcome = OrderOutcome<readonly Verdict[]>

/**
 * Pays for each batch by a voucher of a channel, one after the other.
 *
 * A payment is in the channel's book first, then in the journal, then it is sent; its results are in the journal before
 * the book releases it. So after a crash at any point the book knows what the service may have been sent, and the
 * journal what was bought.
 */
export function createChannelPayer(options: ChannelPayerOptions): ListPayer {
  const guarded = async <T>(pay: () => Promise<T>): Promise<T | Stop> => {
    try {
      return await pay()
    } catch (error) {
      if (error instanceof NoNode) return { kind: 'not_bought', words: describeFailure({ kind: 'no_node' }) }
      throw error
    }
  }
  return {
    isOrdered: true,
    pay: (batch) => guarded(() => payBatch(options, batch)),
    resend: (batch, payment) => guarded(() => resendPayment(options, batch, payment)),
    stateOf: ({ payload }) => `a voucher for ${usdc(totalOf(payload))} of the channel ${channelOf(payload)}`,
  }
}

async function orderFor(
  { buyer, parts, journal }: ChannelPayerOptions,
  batch: Batch,
): Promise<ChannelOrder<readonly Verdict[]> | Stop> {
  const quote = await buyer.quote(batch.items)
  if (quote.kind !== 'quoted') return { kind: 'not_bought', words: describe(quote) }
  const channel = parts.wallet.channelOn(quote.required)
  if (channel === null || channel.price > quote.amount)
    return { kind: 'not_bought', words: describeFailure({ kind: 'no_channel' }) }
  return { channel, call: callOf(journal, batch), send: (payload) => buyer.send(batch.items, payload) }
}

/** Stands for a batch of this list: the keys have a salt of the journal. */
const callOf = (journal: Journal, { keys }: Batch): string => listCall(journal.keyOf(keys.join('\n')))

async function payBatch(options: ChannelPayerOptions, batch: Batch): Promise<Stop | null> {
  const { parts, journal, maxSpend, signal, deposit } = options
  const { book } = parts
  const order = await orderFor(options, batch)
  if ('kind' in order) return order
  const { channel } = order
  const known = book.find(channel.id)
  const recorded = known === null ? 0n : (known.pending?.total ?? known.charged)
  let account = known ?? accountOf(await readFrom(parts)(channel.id))
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (signal.aborted) return { kind: 'interrupted' }
    const stop = stopAtLimit(journal, channel.price, maxSpend)
    if (stop !== null) return stop
    const total = account.pending?.total ?? account.charged + channel.price
    if (stopAtLimit(journal, total - recorded, maxSpend) !== null)
      return { kind: 'not_bought', words: describeUnrecorded(account.charged) }
    // One that is under way goes first, whatever it was signed for: this batch may be charged to it.
    const pending = account.pending ?? (await nextPayment(order, parts, account, deposit))
    if ('kind' in pending) return { kind: 'not_bought', words: describeFailure(pending) }
    const open = noted(parts, channel, account, pending)
    const payment = journal.begin({ payload: pending.payload, amount: channel.price, keys: batch.keys })
    const outcome = await sendPending(order, parts, open)
    if (outcome.kind !== 'again') return conclude(options, batch, payment, outcome)
    if (outcome.isOwn && outcome.standing === 'charged') return lose(batch, journal, payment)
    // That the next payment is not charged is the service's word, so that this one counts as well.
    if (outcome.standing === 'locked') journal.refuse(payment)
    else journal.void(payment)
    account = outcome.account
  }
  return { kind: 'not_bought', words: describeFailure({ kind: 'not_proven' }) }
}

/** A voucher is good for its whole sum, so that what others name as charged before counts too. */
const describeUnrecorded = (charged: bigint): string =>
  `${usdc(charged)} of the channel is named as charged, more than this buyer has on record; ` +
  'with the next payment that would pass --max-spend. Nothing more was signed.'

function conclude(
  { journal }: ChannelPayerOptions,
  batch: Batch,
  payment: number,
  outcome: Exclude<Outcome, { kind: 'again' }>,
): Stop | null {
  switch (outcome.kind) {
    case 'sold': {
      fill(batch, journal, payment, outcome)
      outcome.settle()
      return null
    }
    case 'refused': {
      if (outcome.standing === 'charged') return lose(batch, journal, payment)
      if (outcome.standing === 'free') journal.void(payment)
      return { kind: 'not_bought', words: describe(outcome) }
    }
    case 'deposit_under_way':
      journal.void(payment)
      return { kind: 'not_bought', words: describeFailure(outcome) }
    default:
      return { kind: 'not_bought', words: describeFailure(outcome) }
  }
}

/** Other commands may have used the channel since: the book tells what became of the payment then. */
async function resendPayment(
  options: ChannelPayerOptions,
  batch: Batch,
  { id: payment, payload, amount }: PendingPayment,
): Promise<Stop | 'not_charged' | null> {
  const { parts, journal } = options
  const { book } = parts
  const [id, total] = [channelOf(payload), totalOf(payload)]
  const free = () => {
    journal.void(payment)
    return 'not_charged' as const
  }
  const end = book.endOf(id, { total, call: callOf(journal, batch) })
  if (end !== null) return end === 'free' ? free() : lose(batch, journal, payment)
  // One that was under way for another call went first; for values of another price it cannot have been charged.
  if (member(payload.accepted).amount !== amount.toString()) return free()
  const order = await orderFor(options, batch)
  if ('kind' in order) return order
  const account = book.find(id) ?? accountOf(await readFrom(parts)(id))
  const pending = account.pending ?? { payload, total, deposit: depositOf(payload), call: order.call }
  // A book of another place, or a copy: it does not know whether this was charged.
  if (pending.total !== total) return lose(batch, journal, payment)
  const channel: OwnChannel = { ...order.channel, id }
  const outcome = await sendPending({ ...order, channel }, parts, noted(parts, channel, account, pending))
  if (outcome.kind === 'refused' && outcome.standing === 'free') return free()
  if (outcome.kind !== 'again') return conclude(options, batch, payment, outcome)
  if (outcome.standing === 'locked') {
    journal.refuse(payment)
    return 'not_charged'
  }
  return outcome.standing === 'free' ? free() : lose(batch, journal, payment)
}

export const isOverChannel = ({ accepted }: PaymentPayload): boolean =>
  member(accepted).scheme === BATCH_SETTLEMENT_SCHEME

const channelOf = (payload: PaymentPayload) =>
  textOf(member(payload, 'payload', 'voucher'), 'channelId') as OwnChannel['id']

const totalOf = (payload: PaymentPayload): bigint =>
  BigInt(textOf(member(payload, 'payload', 'voucher'), 'maxClaimableAmount', '0'))

const depositOf = (payload: PaymentPayload): bigint =>
  BigInt(textOf(member(payload, 'payload', 'deposit'), 'amount', '0'))
