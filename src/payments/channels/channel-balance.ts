/** The money of a channel, in atomic units. */
import { isRecent } from '../../caches/is-recent.ts'
import type { ChannelRow, ChannelState } from '../../ledger/channels/channel-row.ts'
import { DAY_MS } from '../../values/utc-days.ts'

/** The balance that vouchers can rely on: without a refund that may still be mined. */
export const availableOf = ({ balance, refunding }: Pick<ChannelRow, 'balance' | 'refunding'>): bigint =>
  balance - refunding

/** All that was ever charged, or less if the payer has withdrawn a part of it. */
export const claimableOf = ({ charged, balance }: ChannelRow): bigint =>
  charged < balance ? charged : balance

/** The fresh state with the refund of the row, which may be mined until its nonce is used. */
export function stateNow(
  row: ChannelRow | null,
  fresh: ChannelState,
): ChannelState & { readonly refunding: bigint } {
  const isOpen = row !== null && row.refunding > 0n && fresh.refundNonce === row.refundNonce
  return { ...fresh, refunding: isOpen ? row.refunding : 0n }
}

/**
 * Claims and refunds never go back, so an older state comes from a node that is behind: its balance would let vouchers
 * rely on money that was paid back. If it still does after a day, the row is wrong.
 */
export const isOlder = (row: ChannelRow, { totalClaimed, refundNonce }: ChannelState, now: number): boolean =>
  (totalClaimed < row.totalClaimed || refundNonce < row.refundNonce) && isRecent(row.readAt, now, DAY_MS)

export const hasState = (row: ChannelRow, state: ChannelState): boolean =>
  row.balance === state.balance &&
  row.totalClaimed === state.totalClaimed &&
  row.refundNonce === state.refundNonce &&
  row.withdrawRequestedAt === state.withdrawRequestedAt
