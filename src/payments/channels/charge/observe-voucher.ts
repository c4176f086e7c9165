import { isRecent } from '../../../caches/is-recent.ts'
import type { ChannelRow, ChannelState } from '../../../ledger/channels/channel-row.ts'
import { judgeRepeat } from '../../sale/limits/judge-repeat.ts'
import { LOCKED_FROM } from '../../sale/limits/mismatch-limiter.ts'
import { isSamePurchase } from '../../sale/purchase/purchase.ts'
import { event } from '../../sale/table/sale-context.ts'
import { CHANNEL_SCHEME } from '../../terms/channel-terms.ts'
import { offers } from '../../terms/quote-for.ts'
import { availableOf, stateNow } from '../channel-balance.ts'
import {
  type ChannelContext,
  type ChannelNext,
  type ChannelRun,
  type ChannelView,
  chargeKey,
  mayExpose,
  type VoucherEvent,
} from '../channel-context.ts'

/** How long a state read from the chain is relied on if the maintenance, which reads it again, does not run. */
const STATE_MS = 3_600_000

export async function observe(run: ChannelRun, view: ChannelView): Promise<ChannelNext> {
  const { row } = view
  const { voucher } = run.attempt.payment
  if (row !== null && voucher.amount === row.charged) return event(await observeRepeat(run, row), view)
  // The next voucher for the call that a locked one paid for: only the payer can sign it, so it is answered at once.
  const isNextToLocked =
    row !== null && row.mismatches >= LOCKED_FROM && voucher.amount === row.charged + run.attempt.price
  if (isNextToLocked && (await isSameCall(run, row))) return event('same', view)
  return event(observeOther(run, view), view)
}

async function observeRepeat(run: ChannelRun, row: ChannelRow): Promise<VoucherEvent> {
  const { ledger, mismatches, now } = run.context
  const { call, payment } = run.attempt
  run.charge.mayBeCharged = true
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
 * Classifies a voucher that is not over the charged sum. It is due if it adds one price to that sum and the deposit covers
 * it. The chain is read only if the row cannot decide.
 */
export function observeOther(
  { context, attempt, isDepositIn }: Pick<ChannelRun, 'context' | 'attempt' | 'isDepositIn'>,
  { row, fresh }: ChannelView,
): VoucherEvent {
  const { voucher, config, accepted } = attempt.payment
  if (!offers(attempt.quote, CHANNEL_SCHEME)) return 'other_terms'
  if (row !== null && voucher.amount < row.charged) return 'out_of_step'
  const isPriced = accepted.amount === attempt.price.toString()
  if (!context.terms.accepts(config) || !isPriced) return 'other_terms'
  const known = fresh ?? row
  if (known === null) return 'unread'
  // What was claimed was charged, even if a restored store does not know of it.
  const charged = row !== null && row.charged > known.totalClaimed ? row.charged : known.totalClaimed
  const due = charged + attempt.price
  // More than one price ahead: a restored store may not know what was claimed since.
  if (voucher.amount !== due) return fresh === null && voucher.amount > due ? 'unread' : 'out_of_step'
  if (!isDepositIn) return known.withdrawRequestedAt > 0 && fresh === null ? 'unread' : 'deposit'
  if (row !== null && fresh === null && !isCovered(context, row, voucher.amount)) return 'unread'
  const state = fresh === null ? (row as ChannelRow) : stateNow(row, fresh)
  return obstacleTo(context, voucher.amount, state) ?? 'due'
}

const isCovered = ({ now }: ChannelContext, row: ChannelRow, amount: bigint): boolean =>
  amount <= availableOf(row) && row.withdrawRequestedAt === 0 && isRecent(row.readAt, now(), STATE_MS)

function obstacleTo(
  context: ChannelContext,
  amount: bigint,
  state: ChannelState & { readonly refunding: bigint },
): VoucherEvent | null {
  // The payer may withdraw what is not claimed, so nothing more is sold.
  if (state.withdrawRequestedAt > 0) return 'closing'
  if (amount > availableOf(state)) return 'out_of_step'
  return mayExpose(context, amount - state.totalClaimed) ? null : 'exposed'
}
