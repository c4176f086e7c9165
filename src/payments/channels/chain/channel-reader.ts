import type { ChannelState } from '../../../ledger/channel-store.ts'

/** Read-only view of the settlement contract. Every method rejects with `ChainUnavailable` and nothing else. */
export interface ChannelReader {
  /** The state of one channel at the newest block; all zero if it was never opened. */
  state(channelId: string): Promise<ChannelState>
  /** What was claimed for the payee over all channels, and the part that was paid out, in atomic units. */
  payee(receiver: string, token: string): Promise<{ readonly claimed: bigint; readonly settled: bigint }>
  hasContract(): Promise<boolean>
}
