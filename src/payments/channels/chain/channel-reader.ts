import type { ChannelState } from '../../../ledger/channels/channel-row.ts'

/** Every method rejects with `ChainUnavailable` and nothing else. */
export interface ChannelReader {
  /** At the newest block; all zero if the channel was never opened. */
  state(channelId: string): Promise<ChannelState>
  /** What was claimed for the payee over all channels, and the part that was paid out, in atomic units. */
  payee(receiver: string, token: string): Promise<{ readonly claimed: bigint; readonly settled: bigint }>
  hasContract(): Promise<boolean>
}
