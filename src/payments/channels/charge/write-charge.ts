import type { SettleResponse } from '@x402/core/types'
import type {
  ChannelCharge,
  ChannelRow,
  ChannelState,
  ChargedTask,
  NewChannel,
  TaskCharge,
} from '../../../ledger/channels/channel-row.ts'
import { recordTime } from '../../chain/clocks.ts'
import type { Sale } from '../../ports/sale.ts'
import type { CallTask } from '../../sale/purchase/purchased-call.ts'
import { taskExpiry } from '../../sale/purchase/replay-window.ts'
import { declined, notClaimed, soldFor } from '../../sale/table/outcomes.ts'
import { answer } from '../../sale/table/sale-context.ts'
import { stateNow } from '../channel-balance.ts'
import {
  type ChannelAttempt,
  type ChannelContext,
  type ChannelNext,
  type ChannelRun,
  type ChannelView,
  chargeKey,
} from '../channel-context.ts'
import { channelReceipt } from './channel-receipt.ts'

/**
 * Durably, all or nothing. A store that fails may have written them, so the answer is in doubt until the client repeats
 * the call.
 */
export async function charge(run: ChannelRun, view: ChannelView): Promise<ChannelNext> {
  const { context, attempt } = run
  const change = await chargeOf(run, view)
  const settlement = await channelReceipt(context, afterCharge(change), attempt.call)
  run.charge.mayBeCharged = true
  const outcome = await write(run, change, settlement)
  run.charge.mayBeCharged = false
  if (outcome.kind !== 'charged') return notClaimed(outcome)
  context.exposure.add(attempt.price)
  return answer(soldAs(attempt, outcome.row, settlement, false))
}

async function write(
  { context, attempt }: ChannelRun,
  change: ChannelCharge,
  settlement: SettleResponse,
): Promise<TaskCharge> {
  const { ledger } = context
  const task = taskOf(context, attempt, settlement)
  if (task !== null) return ledger.chargeWithTask(change, task)
  const row = await (change.kind === 'open'
    ? ledger.openChannel(change.channel)
    : ledger.moveChannel(change.seen, change.change))
  return row === null ? { kind: 'raced' } : { kind: 'charged', row }
}

/** Answers a call that was charged before. Its task, which may be a new one, shows the charge too. */
export async function answerAgain({ context, attempt }: ChannelRun, view: ChannelView): Promise<ChannelNext> {
  const row = view.row as ChannelRow
  const receipt = await channelReceipt(context, row, attempt.call)
  const task = taskOf(context, attempt, receipt)
  if (task !== null) await context.ledger.showCharge(task)
  return answer(soldAs(attempt, row, receipt, true))
}

/** Answers a message for a task that a channel has paid for, if it comes with the same voucher. */
export function answerTask(
  { call, payment }: ChannelAttempt,
  { key, settlement }: NonNullable<CallTask['charged']>,
): Sale {
  const { nonce, payer } = chargeKey(payment)
  if (key.nonce !== nonce || key.payer !== payer) return declined('payment_already_used')
  return soldFor(call, key, { settlement, replayed: true, rulesetChanged: false })
}

const soldAs = (
  { call, payment }: ChannelAttempt,
  { lastCall }: ChannelRow,
  settlement: SettleResponse,
  replayed: boolean,
): Sale =>
  soldFor(call, chargeKey(payment), {
    settlement,
    replayed,
    rulesetChanged: call.ruleset !== lastCall.ruleset,
  })

async function chargeOf(
  { context, attempt, transaction }: ChannelRun,
  { row, fresh }: ChannelView,
): Promise<ChannelCharge> {
  const { call, payment, price } = attempt
  const at = recordTime(context)
  // Computed before the charge: a check that throws must not be paid for.
  call.verdicts()
  const lastCall: ChannelRow['lastCall'] = {
    ...(await context.bindings.bind(call.fingerprints[0], at)),
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

const afterCharge = (charge: ChannelCharge): NewChannel =>
  charge.kind === 'open' ? charge.channel : { ...charge.seen, ...charge.change }

/** Null if the protocol keeps no tasks. */
function taskOf(
  context: ChannelContext,
  { call, payment }: ChannelAttempt,
  settlement: SettleResponse,
): ChargedTask | null {
  const key = chargeKey(payment)
  const at = recordTime(context)
  const attachment = call.task?.attachment({ key, settlement, expiresAt: taskExpiry(at), now: at })
  return attachment === undefined ? null : { payment: key, attachment }
}
