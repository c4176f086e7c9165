import type { SettleResponse } from '@x402/core/types'
import {
  type ChannelCall,
  type ChannelCharge,
  type ChannelRow,
  type ChannelState,
  type ChargedTask,
  movedChannel,
} from '../../../ledger/channel-store.ts'
import { StoreUnavailable } from '../../../ledger/store-unavailable.ts'
import type { Sale } from '../../ports/sale.ts'
import { taskExpiry } from '../../sale/purchase/replay-window.ts'
import { declined, inDoubtUntilRepeat } from '../../sale/table/outcomes.ts'
import { stateNow } from '../channel-balance.ts'
import { type ChannelAttempt, type ChannelContext, chargeKey } from './channel-context.ts'
import { receiptOf } from './channel-receipt.ts'

export type Written =
  | { readonly kind: 'charged'; readonly row: ChannelRow; readonly settlement: SettleResponse }
  /** Another process changed the channel; nothing was written. */
  | { readonly kind: 'raced' }
  | { readonly kind: 'answer'; readonly sale: Sale }

export interface Charged {
  /** Null for the first call of a channel. */
  readonly row: ChannelRow | null
  /** What the chain was found to say; null if it was not asked. */
  readonly fresh: ChannelState | null
  /** The deposit that came with the call. */
  readonly transaction: string | null
}

/**
 * The one durable write of a call: what is charged, the voucher for it, the call it was charged for, and the task that
 * shows it where the protocol keeps one. A store that fails may have written it: the answer then is in doubt, and a
 * repeat finds out.
 */
export async function writeCharge(
  context: ChannelContext,
  attempt: ChannelAttempt,
  charged: Charged,
): Promise<Written> {
  const charge = await chargeOf(context, attempt, charged)
  const settlement = await receiptOf(context, afterCharge(charge), attempt.call)
  try {
    return await write(context, attempt, charge, settlement)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return { kind: 'answer', sale: inDoubtUntilRepeat() }
  }
}

async function write(
  context: ChannelContext,
  attempt: ChannelAttempt,
  charge: ChannelCharge,
  settlement: SettleResponse,
): Promise<Written> {
  const { ledger } = context
  if (attempt.call.taskFor(chargeKey(attempt.payment)) === undefined) {
    const row = await (charge.kind === 'open'
      ? ledger.openChannel(charge.channel)
      : ledger.moveChannel(charge.seen, charge.change))
    return row === null ? { kind: 'raced' } : { kind: 'charged', row, settlement }
  }
  const outcome = await ledger.chargeWithTask(charge, taskOf(context, attempt, settlement))
  switch (outcome.kind) {
    case 'charged':
      return { ...outcome, settlement }
    case 'raced':
      return outcome
    case 'task_gone':
      return { kind: 'answer', sale: declined('task_not_found') }
    case 'task_taken':
      return { kind: 'answer', sale: declined('payment_already_used') }
  }
}

/** Lets the task of a repeated call show what was charged for it before, by another message or on another surface. */
export async function showCharge(
  context: ChannelContext,
  attempt: ChannelAttempt,
  settlement: SettleResponse,
): Promise<void> {
  const isKept = attempt.call.taskFor(chargeKey(attempt.payment)) !== undefined
  if (isKept) await context.ledger.showCharge(taskOf(context, attempt, settlement))
}

async function chargeOf(
  { bindings, now }: ChannelContext,
  { call, payment, price }: ChannelAttempt,
  { row, fresh, transaction }: Charged,
): Promise<ChannelCharge> {
  const at = now()
  // The verdicts exist before anything is charged for them.
  call.verdicts()
  const lastCall: ChannelCall = {
    ...(await bindings.bind(call.fingerprints[0], at)),
    amount: price,
    surface: call.surface,
    checkType: call.type,
    ruleset: call.ruleset,
    shape: call.shape,
    items: call.items,
    chargedAt: at,
    transaction,
  }
  const { amount: charged, signature, channelId: id } = payment.voucher
  if (row === null) {
    const state = fresh as ChannelState
    const config = payment.config
    return {
      kind: 'open',
      channel: { id, config, ...state, readAt: at, charged, signature, lastCall, openedAt: at },
    }
  }
  const read = fresh === null ? {} : { ...stateNow(row, fresh), readAt: at }
  return {
    kind: 'move',
    seen: row,
    change: { ...read, charged, signature, lastCall, calls: row.calls + 1 },
  }
}

/** The row as the store will give it back. */
const afterCharge = (charge: ChannelCharge): ChannelRow =>
  charge.kind === 'open'
    ? { ...charge.channel, refunding: 0n, refunded: 0n, mismatches: 0, calls: 1, revision: 0 }
    : movedChannel(charge.seen, charge.change)

/** The task of a call that is kept as one. */
function taskOf(
  { now }: ChannelContext,
  { call, payment }: ChannelAttempt,
  settlement: SettleResponse,
): ChargedTask {
  const key = chargeKey(payment)
  const at = now()
  const attachment = call.chargedAttachment({ key, settlement, expiresAt: taskExpiry(at), now: at })
  if (attachment === undefined) throw new Error('a call without a task')
  return { payment: key, attachment }
}
