import type { MetricMakers } from './metric-makers.ts'

/** Read at each scrape while channels are on, or were. */
export const channelGauges = ({ gauge }: MetricMakers) => ({
  channels: gauge(
    'channels',
    'Payment channels: open, withdrawing, withdrawing with something unclaimed, claimed further than this store knows.',
    'state',
  ),
  channelUnits: gauge(
    'channel_units',
    'Sums over all payment channels, in atomic units of USDC (a million per dollar).',
    'what',
  ),
  channelUnclaimedLimit: gauge(
    'channel_unclaimed_limit_units',
    'What may be charged over channels and not yet claimed, in atomic units; beyond it calls are refused.',
  ),
  channelOldestRead: gauge(
    'channel_oldest_read_seconds',
    'For how long the open channel that waits longest was not read from the chain; a withdrawal takes a day.',
  ),
  channelDepositsInDoubt: gauge(
    'channel_deposits_in_doubt',
    'Deposits into channels that were sent and whose outcome is not known.',
  ),
})
