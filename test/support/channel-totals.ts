import type { ChannelTotals } from '../../src/ledger/channels/channel-totals.ts'

/** Sums over channels, all zero unless given. */
export const channelTotals = (change: Partial<ChannelTotals> = {}): ChannelTotals => ({
  channels: 0,
  calls: 0,
  deposited: 0n,
  charged: 0n,
  claimed: 0n,
  exposed: 0n,
  lost: 0n,
  open: 0,
  withdrawing: 0,
  urgent: 0,
  ahead: 0,
  oldestReadAt: null,
  depositsInDoubt: 0,
  ...change,
})
