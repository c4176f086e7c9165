import { type ChannelTotals, NO_CHANNELS } from '../../src/ledger/channel-store.ts'

/** Sums over channels, all zero unless given. */
export const channelTotals = (change: Partial<ChannelTotals> = {}): ChannelTotals => ({
  ...NO_CHANNELS,
  ...change,
})
