import type { SettleResponse } from '@x402/core/types'
import type { ChannelRow, ChannelState } from '../../../ledger/channel-store.ts'
import type { PaymentKey } from '../../../ledger/payment-row.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { declined, unpaid } from '../../sale/outcomes.ts'
import type { Sale, Sold } from '../../sale.ts'
import { bringIn } from '../deposits/bring-in.ts'
import {
  availableOf,
  type ChannelAttempt,
  type ChannelContext,
  chargeKey,
  isOlder,
  mayExpose,
  stateNow,
} from './channel-context.ts'
import { receiptOf, settlementOf } from './channel-receipt.ts'
import { closing, corrective } from './corrective.ts'
import { showCharge, writeCharge } from './write-charge.ts'

/** How long a state that was read from the chain is relied on while the loop that watches withdrawals does not run. */
const STATE_MS = 3_600_000
/** How often a row is read again because another process changed it. */
const MOST_LOOKS = 8

/**
 * Answers one paid call in its turn: a repeat of the newest voucher gets its answer again, a voucher that goes one
 * price further is charged in one durable write, anything else is corrected.
 */
export async function charge(context: ChannelContext, attempt: ChannelAttempt): Promise<Sale> {
  const { voucher, kind } = attempt.payment
  const { charged: taskCharge } = attempt.call
  if (taskCharge !== undefined) return repeatTask(attempt, taskCharge)
  let row = await context.ledger.findChannel(voucher.channelId)
  let fresh: ChannelState | null = null
  let transaction: string | null = null
  let isIn = kind !== 'deposit'
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (row !== null && voucher.amount === row.charged) return repeat(context, attempt, row)
    if (!context.terms.accepts(attempt.payment.config) || !isPriced(attempt))
      return unpaid(context, attempt, 'payment_terms_mismatch')
    if (row === null) fresh ??= await stateOf(context, voucher.channelId, row)
    // What was claimed was charged, also when an older copy of the store does not know of it.
    const claimed = fresh?.totalClaimed ?? row?.totalClaimed ?? 0n
    const charged = row === null || row.charged < claimed ? claimed : row.charged
    if (voucher.amount !== charged + attempt.price) {
      // Further than our books: an older copy of the store may not know what was claimed since.
      const isAhead = row !== null && fresh === null && voucher.amount > charged + attempt.price
      if (!isAhead) return outOfStep(context, attempt, row !== null && row.charged >= claimed ? row : null)
      fresh = await stateOf(context, voucher.channelId, row)
      continue
    }
    if (!isIn) {
      const deposit = await bringIn(context, attempt, voucher.amount - claimed)
      if (deposit.kind === 'answer') return deposit.sale
      transaction = deposit.transaction
      isIn = true
      row = await context.ledger.findChannel(voucher.channelId)
      fresh = await stateOf(context, voucher.channelId, row)
      continue
    }
    if (fresh === null && row !== null && !isCovered(context, row, voucher.amount))
      fresh = await stateOf(context, voucher.channelId, row)
    const state = fresh === null ? (row as ChannelRow) : stateNow(row, fresh)
    const obstacle = obstacleTo(context, attempt, row, state)
    if (obstacle !== null) return obstacle
    const written = await writeCharge(context, attempt, { row, fresh, transaction })
    if (written.kind === 'answer') return written.sale
    if (written.kind === 'charged') {
      context.exposure.add(attempt.price)
      return answer(attempt, written.row, written.settlement, false)
    }
    // What was read from the chain before may be older than what another process has written since.
    fresh = null
    row = await context.ledger.findChannel(voucher.channelId)
  }
  return outOfStep(context, attempt, row)
}

/** The channel on the chain. Rejects with ChainUnavailable if the node is behind what the row knows. */
async function stateOf(
  { reader }: ChannelContext,
  id: string,
  row: ChannelRow | null,
): Promise<ChannelState> {
  const state = await reader.state(id)
  if (row !== null && isOlder(row, state)) throw new ChainUnavailable('the node is behind')
  return state
}

const isPriced = ({ payment, price }: ChannelAttempt) => payment.accepted.amount === price.toString()

const isCovered = ({ now }: ChannelContext, row: ChannelRow, amount: bigint): boolean =>
  amount <= availableOf(row) && row.withdrawRequestedAt === 0 && now() - row.readAt < STATE_MS

function obstacleTo(
  context: ChannelContext,
  attempt: ChannelAttempt,
  row: ChannelRow | null,
  state: ChannelState & { readonly refunding: bigint },
): Sale | null {
  const { voucher } = attempt.payment
  // A payer who is leaving may take out what is not claimed; nothing more is sold on its vouchers.
  if (state.withdrawRequestedAt > 0) return closing(attempt.quote)
  if (voucher.amount > availableOf(state)) return outOfStep(context, attempt, row)
  return mayExpose(context, voucher.amount - state.totalClaimed) ? null : declined('facilitator_unavailable')
}

/** The newest voucher again: the same call gets its answer, another one gets what the voucher was charged for. */
async function repeat(context: ChannelContext, attempt: ChannelAttempt, row: ChannelRow): Promise<Sale> {
  const { lastCall } = row
  const { call } = attempt
  // The stock client takes the settlement into its account, also from a refusal, so that its next voucher is in step.
  const settlement = settlementOf(row)
  const key = chargeKey(attempt.payment)
  const pause = context.mismatches.pauseMs(call.client, key, context.now())
  if (pause > 0) return { ...declined('too_many_requests', Math.ceil(pause / 1000)), settlement }
  if (lastCall.binding === null) return { ...declined('replay_window_over'), settlement, final: true }
  const isSame =
    call.shape === lastCall.shape &&
    call.items === lastCall.items &&
    call.type === lastCall.checkType &&
    (await context.bindings.isBoundTo(lastCall, call.fingerprints))
  if (!isSame) {
    context.mismatches.note(call.client, key, context.now())
    return { ...declined('payment_already_used'), settlement, final: true }
  }
  const receipt = await receiptOf(context, row, call)
  await showCharge(context, attempt, receipt)
  return answer(attempt, row, receipt, true)
}

/** A message that names a task which a channel has paid for: the same voucher gets its answer again. */
function repeatTask(
  { call, payment }: ChannelAttempt,
  { key, settlement }: NonNullable<ChannelAttempt['call']['charged']>,
): Sale {
  const { nonce, payer } = chargeKey(payment)
  if (key.nonce !== nonce || key.payer !== payer) return declined('payment_already_used')
  return soldAs(call, settlement, { replayed: true, rulesetChanged: false, key })
}

function answer(
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

export const outOfStep = (
  context: ChannelContext,
  { quote, call }: ChannelAttempt,
  row: ChannelRow | null,
): Sale => corrective(quote, context.terms, call.items, row)
