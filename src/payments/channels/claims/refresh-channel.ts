import { isRecent } from '../../../is-recent.ts'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import { hasState, isOlder, stateNow } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'

/** How often a row is read and written again because a call changed it meanwhile. */
const MOST_TRIES = 5
/** An unchanged state is written down again after this time. */
const REREAD_MS = 60_000

type Reading = Pick<ChannelContext, 'ledger' | 'reader' | 'now'>

/**
 * Reads a channel from the chain into its row; returns the row as it is then. The chain is read after the row, so that an
 * older state never replaces a newer one. May reject with ChainUnavailable.
 */
export async function refreshChannel(
  { ledger, reader, now }: Reading,
  seen: ChannelRow,
): Promise<ChannelRow> {
  let row = (await ledger.findChannel(seen.id)) ?? seen
  for (let tries = 1; ; tries += 1) {
    const state = await reader.state(seen.id)
    if (isOlder(row, state)) return row
    if (hasState(row, state) && isRecent(row.readAt, now(), REREAD_MS)) return row
    const moved = await ledger.moveChannel(row, { ...stateNow(row, state), readAt: now() })
    if (moved !== null) return moved
    row = (await ledger.findChannel(seen.id)) ?? row
    if (tries >= MOST_TRIES) return row
  }
}

/** Says once that a payer has withdrawn money that a voucher was signed for. */
export function noteLoss(
  { report }: Pick<ChannelContext, 'report'>,
  seen: ChannelRow,
  now: ChannelRow,
): void {
  if (now.charged > now.balance && seen.charged <= seen.balance) report('channel_voucher_lost')
}
