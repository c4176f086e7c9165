import { isRecent } from '../../../is-recent.ts'
import type { ChannelRow, ChannelState } from '../../../ledger/channel-store.ts'
import { judgeRepeat } from '../../sale/limits/judge-repeat.ts'
import { LOCKED_FROM } from '../../sale/limits/mismatch-limiter.ts'
import { isSamePurchase } from '../../sale/purchase/purchase.ts'
import { event } from '../../sale/table/sale-context.ts'
import { availableOf, stateNow } from '../channel-balance.ts'
import {
  type ChannelAttempt,
  type ChannelContext,
  type ChannelNext,
  type ChannelRun,
  type ChannelView,
  chargeKey,
  mayExpose,
  type VoucherEvent,
} from '../channel-context.ts'

/** How long a state that was read from the chain is relied on while the loop that watches withdrawals does not run. */
const STATE_MS = 3_600_000

export async function observe(run: ChannelRun, view: ChannelView): Promise<ChannelNext> {
  const { row } = view
  const { voucher } = run.attempt.payment
  if (row !== null && voucher.amount === row.charged) return event(await observeRepeat(run, row), view)
  // The next voucher for the call that a locked one paid for: only the payer can have it, so it need not be slowed down.
  const isNextToLocked =
    row !== null && row.mismatches >= LOCKED_FROM && voucher.amount === dueAfter(row, run)
  if (isNextToLocked && (await isSameCall(run, row))) return event('same', view)
  return event(observeOther(run, view), view)
}

const dueAfter = ({ charged }: ChannelRow, { attempt }: ChannelRun) => charged + attempt.price

/** The newest voucher again: for the same call, or for another one, of which only so many are answered. */
async function observeRepeat(run: ChannelRun, row: ChannelRow): Promise<VoucherEvent> {
  const { ledger, mismatches, now } = run.context
  const { call, payment } = run.attempt
  run.mayBeCharged = true
  if (row.lastCall.binding === null) return 'late'
  return judgeRepeat({
    limiter: mismatches,
    client: call.client,
    key: chargeKey(payment),
    now: now(),
    isSame: () => isSameCall(run, row),
    count: (isDiffering) => ledger.noteVoucherRepeat(row, isDiffering),
  })
}

const isSameCall = async ({ context, attempt: { call } }: ChannelRun, { lastCall }: ChannelRow) =>
  lastCall.binding !== null &&
  isSamePurchase(call, lastCall) &&
  (await context.bindings.isBoundTo(lastCall, call.fingerprints))

/**
 * A voucher that goes one price further than what is charged is due, after its deposit is in and if the channel covers
 * it. The chain is asked only for what the row cannot say.
 */
export function observeOther(
  { context, attempt, isDepositIn }: Pick<ChannelRun, 'context' | 'attempt' | 'isDepositIn'>,
  { row, fresh }: ChannelView,
): VoucherEvent {
  const { voucher, config } = attempt.payment
  if (row !== null && voucher.amount < row.charged) return 'out_of_step'
  if (!context.terms.accepts(config) || !isPriced(attempt)) return 'other_terms'
  const known = fresh ?? row
  if (known === null) return 'unread'
  // What was claimed was charged, also when an older copy of the store does not know of it.
  const charged = row !== null && row.charged > known.totalClaimed ? row.charged : known.totalClaimed
  const due = charged + attempt.price
  // Further than our books: an older copy of the store may not know what was claimed since.
  if (voucher.amount !== due) return fresh === null && voucher.amount > due ? 'unread' : 'out_of_step'
  if (!isDepositIn) return known.withdrawRequestedAt > 0 && fresh === null ? 'unread' : 'deposit'
  if (row !== null && fresh === null && !isCovered(context, row, voucher.amount)) return 'unread'
  const state = fresh === null ? (row as ChannelRow) : stateNow(row, fresh)
  return obstacleTo(context, voucher.amount, state) ?? 'due'
}

const isPriced = ({ payment, price }: ChannelAttempt) => payment.accepted.amount === price.toString()

const isCovered = ({ now }: ChannelContext, row: ChannelRow, amount: bigint): boolean =>
  amount <= availableOf(row) && row.withdrawRequestedAt === 0 && isRecent(row.readAt, now(), STATE_MS)

function obstacleTo(
  context: ChannelContext,
  amount: bigint,
  state: ChannelState & { readonly refunding: bigint },
): VoucherEvent | null {
  // A payer who is leaving may take out what is not claimed; nothing more is sold on its vouchers.
  if (state.withdrawRequestedAt > 0) return 'closing'
  if (amount > availableOf(state)) return 'out_of_step'
  return mayExpose(context, amount - state.totalClaimed) ? null : 'exposed'
}
