import type { ChannelRow, ChannelState } from '../../../ledger/channel-store.ts'
import { type ChannelContext, isOlder, stateNow } from '../sale/channel-context.ts'

/** How often a row is read and written again because a call changed it meanwhile. */
const MOST_TRIES = 5
/** An unchanged state is written down again after this time. */
const REREAD_MS = 60_000

/**
 * Reads a channel from the chain into its row; returns the row as it is then. May reject with ChainUnavailable.
 *
 * The chain is read after the row, so that an older state never replaces a newer one.
 */
export async function refreshChannel(
  { ledger, reader, now }: Pick<ChannelContext, 'ledger' | 'reader' | 'now'>,
  seen: ChannelRow,
): Promise<ChannelRow> {
  let row = (await ledger.findChannel(seen.id)) ?? seen
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const state = await reader.state(seen.id)
    if (isOlder(row, state)) return row
    if (hasState(row, state) && now() - row.readAt < REREAD_MS) return row
    const moved = await ledger.moveChannel(row, { ...stateNow(row, state), readAt: now() })
    if (moved !== null) return moved
    row = (await ledger.findChannel(seen.id)) ?? row
  }
  return row
}

export const hasState = (row: ChannelRow, state: ChannelState): boolean =>
  row.balance === state.balance &&
  row.totalClaimed === state.totalClaimed &&
  row.refundNonce === state.refundNonce &&
  row.withdrawRequestedAt === state.withdrawRequestedAt

/** Says once that a payer has withdrawn money that a voucher was signed for. */
export function noteLoss(
  { report }: Pick<ChannelContext, 'report'>,
  seen: ChannelRow,
  now: ChannelRow,
): void {
  if (now.charged > now.balance && seen.charged <= seen.balance) report('channel_voucher_lost')
}
