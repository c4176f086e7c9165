import { isRecent } from '../../../is-recent.ts'
import type { ChannelRow, ChannelState } from '../../../ledger/channel-store.ts'
import type { Sale } from '../../ports/sale.ts'
import { declined, unpaid } from '../../sale/table/outcomes.ts'
import { availableOf, stateNow } from '../channel-balance.ts'
import type { ChannelToFill } from '../deposits/bring-in.ts'
import { type ChannelAttempt, type ChannelContext, mayExpose } from './channel-context.ts'
import { closing, outOfStep } from './corrective.ts'

/** How long a state that was read from the chain is relied on while the loop that watches withdrawals does not run. */
const STATE_MS = 3_600_000

/** What is known of a channel while a call over it is answered. */
export interface Look {
  /** Null for a channel that nothing was charged over. */
  readonly row: ChannelRow | null
  /** The channel on the chain, if it was read for this look. */
  readonly fresh: ChannelState | null
  /** Whether the deposit that came with the call is in; true if none came. */
  readonly isDepositIn: boolean
}

export type Step =
  | { readonly kind: 'repeat'; readonly row: ChannelRow }
  | { readonly kind: 'answer'; readonly sale: Sale }
  | { readonly kind: 'read_chain' }
  | { readonly kind: 'bring_in'; readonly channel: ChannelToFill }
  | { readonly kind: 'charge' }

const answer = (sale: Sale): Step => ({ kind: 'answer', sale })
const READ_CHAIN: Step = { kind: 'read_chain' }
const CHARGE: Step = { kind: 'charge' }

/**
 * What a call over a channel needs next: a voucher that goes one price further than what is charged may be charged,
 * after its deposit is in and if the channel covers it; anything else is answered. The chain is asked only for what the
 * row cannot say.
 */
export function chargeStep(context: ChannelContext, attempt: ChannelAttempt, look: Look): Step {
  const { row, fresh } = look
  const { voucher, config } = attempt.payment
  if (row !== null && voucher.amount === row.charged) return { kind: 'repeat', row }
  if (!context.terms.accepts(config) || !isPriced(attempt))
    return answer(unpaid(context, attempt, 'payment_terms_mismatch'))
  const known = fresh ?? row
  if (known === null) return READ_CHAIN
  // What was claimed was charged, also when an older copy of the store does not know of it.
  const { totalClaimed } = known
  const isRowCurrent = row !== null && row.charged >= totalClaimed
  const due = (isRowCurrent ? row.charged : totalClaimed) + attempt.price
  if (voucher.amount !== due) {
    // Further than our books: an older copy of the store may not know what was claimed since.
    const isAhead = fresh === null && voucher.amount > due
    return isAhead ? READ_CHAIN : answer(outOfStep(context, attempt, isRowCurrent ? row : null))
  }
  if (!look.isDepositIn) {
    const isLeft = known.withdrawRequestedAt > 0
    if (isLeft && fresh === null) return READ_CHAIN
    return { kind: 'bring_in', channel: { exposed: voucher.amount - totalClaimed, isLeft } }
  }
  if (row !== null && fresh === null && !isCovered(context, row, voucher.amount)) return READ_CHAIN
  const state = fresh === null ? (row as ChannelRow) : stateNow(row, fresh)
  const obstacle = obstacleTo(context, attempt, row, state)
  return obstacle === null ? CHARGE : answer(obstacle)
}

const isPriced = ({ payment, price }: ChannelAttempt) => payment.accepted.amount === price.toString()

const isCovered = ({ now }: ChannelContext, row: ChannelRow, amount: bigint): boolean =>
  amount <= availableOf(row) && row.withdrawRequestedAt === 0 && isRecent(row.readAt, now(), STATE_MS)

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
