import type { ChannelTotals } from '../../ledger/channels/channel-totals.ts'
import { MOST_EXPOSED } from '../../payments/channels/claims/exposure.ts'
import type { Gauges } from './metrics/gauges.ts'

export interface ChannelMonitor {
  /** Atomic units that were claimed for us from channels that the store does not know; null if unknown. */
  claimedWithoutRow(): bigint | null
}

export interface ChannelFigures {
  readonly ledger: { channelTotals(now: number): Promise<ChannelTotals> }
  readonly channels?: ChannelMonitor | undefined
  /** UTC milliseconds. */
  readonly now: () => number
}

/** The gauges are absent if the store does not answer, or if channels are off and none was ever opened. */
export async function setChannels(gauges: Gauges, { ledger, channels, now }: ChannelFigures): Promise<void> {
  const totals = await readTotals(ledger, now())
  clear(gauges)
  if (totals === null) return
  if (channels === undefined && totals.channels === 0 && totals.depositsInDoubt === 0) return
  const states = {
    open: totals.open,
    withdrawing: totals.withdrawing,
    withdrawing_unclaimed: totals.urgent,
    ahead: totals.ahead,
  }
  for (const [state, count] of Object.entries(states)) gauges.channels.set({ state }, count)
  const sums = {
    deposited: totals.deposited,
    charged: totals.charged,
    claimed: totals.claimed,
    unclaimed: totals.exposed,
    lost: totals.lost,
    claimed_without_row: channels?.claimedWithoutRow() ?? null,
  }
  for (const [what, units] of Object.entries(sums))
    if (units !== null) gauges.channelUnits.set({ what }, Number(units))
  gauges.channelUnclaimedLimit.set(Number(MOST_EXPOSED.all))
  const { oldestReadAt } = totals
  gauges.channelOldestRead.set(oldestReadAt === null ? 0 : Math.max(0, (now() - oldestReadAt) / 1000))
  gauges.channelDepositsInDoubt.set(totals.depositsInDoubt)
}

const readTotals = async (ledger: ChannelFigures['ledger'], now: number): Promise<ChannelTotals | null> => {
  try {
    return await ledger.channelTotals(now)
  } catch {
    return null
  }
}

function clear(gauges: Gauges): void {
  gauges.channels.reset()
  gauges.channelUnits.reset()
  for (const gauge of [gauges.channelUnclaimedLimit, gauges.channelOldestRead, gauges.channelDepositsInDoubt])
    gauge.remove()
}
