import { isRecent } from '../../../caches/is-recent.ts'
import type { ChannelRow } from '../../../ledger/channels/channel-row.ts'
import { hasState, isOlder, stateNow } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'

/** A call may change the row between its read and its write. */
const MOST_TRIES = 5
/** After this time, an unchanged state is written again with the time of the read. */
const REREAD_MS = 60_000

/**
 * Reports if the payer has withdrawn money that a voucher was signed for. The chain is read after the row, so that an
 * older state never replaces a newer one. May reject with ChainUnavailable.
 */
export async function refreshChannel(
  { ledger, reader, now, report }: ChannelContext,
  seen: ChannelRow,
): Promise<ChannelRow> {
  let row = (await ledger.findChannel(seen.id)) ?? seen
  for (let tries = 1; ; tries += 1) {
    const state = await reader.state(seen.id)
    if (isOlder(row, state, now())) return row
    if (hasState(row, state) && isRecent(row.readAt, now(), REREAD_MS)) return row
    const moved = await ledger.moveChannel(row, { ...stateNow(row, state), readAt: now() })
    if (moved !== null) {
      if (moved.charged > moved.balance && row.charged <= row.balance) report('channel_voucher_lost')
      return moved
    }
    row = (await ledger.findChannel(seen.id)) ?? row
    if (tries >= MOST_TRIES) return row
  }
}
