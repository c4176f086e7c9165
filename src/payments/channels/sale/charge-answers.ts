import type { SettleResponse } from '@x402/core/types'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import type { PaymentKey } from '../../../ledger/payment-row.ts'
import type { Sale, Sold } from '../../ports/sale.ts'
import { LOCKED_FROM } from '../../sale/limits/mismatch-limiter.ts'
import { declined } from '../../sale/table/outcomes.ts'
import { type ChannelAttempt, type ChannelContext, chargeKey } from './channel-context.ts'
import { receiptOf, settlementOf } from './channel-receipt.ts'
import { locked } from './corrective.ts'
import { showCharge } from './write-charge.ts'

/** The newest voucher again: the same call gets its answer, another one gets what the voucher was charged for. */
export async function repeatCharge(
  context: ChannelContext,
  attempt: ChannelAttempt,
  row: ChannelRow,
): Promise<Sale> {
  const { lastCall } = row
  const { call } = attempt
  // The stock client takes the settlement into its account, also from a refusal, so that its next voucher is in step.
  const settlement = settlementOf(row)
  const key = chargeKey(attempt.payment)
  const pause = context.mismatches.pauseMs(call.client, key, context.now())
  if (pause > 0) return { ...declined('too_many_requests', Math.ceil(pause / 1000)), settlement }
  if (lastCall.binding === null) return { ...declined('replay_window_over'), settlement, final: true }
  const isSame = await isSameCall(context, attempt, row)
  const isLocked = (await context.ledger.noteVoucherRepeat(row, !isSame)) >= LOCKED_FROM
  // Once locked, a right call counts like a wrong one: else the client that never has to wait would have guessed it.
  if (isLocked || !isSame) context.mismatches.note(call.client, key, context.now())
  if (isLocked) return locked(context, attempt, row)
  if (!isSame) {
    return { ...declined('payment_already_used'), settlement, final: true }
  }
  return repeatAnswer(context, attempt, row)
}

/**
 * The next voucher for the call that the newest one paid for, once that is locked: its answer again, and no charge. Null
 * for every other call. Only the payer can have the next voucher, so it need not be slowed down.
 */
export async function repeatLocked(
  context: ChannelContext,
  attempt: ChannelAttempt,
  row: ChannelRow,
): Promise<Sale | null> {
  if (row.mismatches < LOCKED_FROM || attempt.payment.voucher.amount !== row.charged + attempt.price)
    return null
  return (await isSameCall(context, attempt, row)) ? repeatAnswer(context, attempt, row) : null
}

async function repeatAnswer(
  context: ChannelContext,
  attempt: ChannelAttempt,
  row: ChannelRow,
): Promise<Sale> {
  const receipt = await receiptOf(context, row, attempt.call)
  await showCharge(context, attempt, receipt)
  return answerCharge(attempt, row, receipt, true)
}

const isSameCall = async (
  { bindings }: ChannelContext,
  { call }: ChannelAttempt,
  { lastCall }: ChannelRow,
): Promise<boolean> =>
  lastCall.binding !== null &&
  call.shape === lastCall.shape &&
  call.items === lastCall.items &&
  call.type === lastCall.checkType &&
  (await bindings.isBoundTo(lastCall, call.fingerprints))

/** A message that names a task which a channel has paid for: the same voucher gets its answer again. */
export function repeatTask(
  { call, payment }: ChannelAttempt,
  { key, settlement }: NonNullable<ChannelAttempt['call']['charged']>,
): Sale {
  const { nonce, payer } = chargeKey(payment)
  if (key.nonce !== nonce || key.payer !== payer) return declined('payment_already_used')
  return soldAs(call, settlement, { replayed: true, rulesetChanged: false, key })
}

/** What was charged, with the verdicts it was charged for. */
export function answerCharge(
  { call, payment }: ChannelAttempt,
  row: ChannelRow,
  settlement: SettleResponse,
  replayed: boolean,
): Sale {
  const rulesetChanged = call.ruleset !== row.lastCall.ruleset
  return soldAs(call, settlement, { replayed, rulesetChanged, key: chargeKey(payment) })
}

function soldAs(
  call: ChannelAttempt['call'],
  settlement: SettleResponse,
  { key, ...how }: Pick<Sold, 'replayed' | 'rulesetChanged'> & { readonly key: PaymentKey },
): Sold {
  const task = call.taskFor(key)
  return {
    kind: 'sold',
    verdicts: call.verdicts(),
    json: call.json,
    settlement,
    ...how,
    delivered: () => {},
    ...(task === undefined ? {} : { taskId: task.id }),
  }
}
