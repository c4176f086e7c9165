import type { PaymentRequired } from '@x402/core/types'
import type { Backoff } from '../retry.ts'
import type { ChannelAccount, ChannelBook, ReadChannel } from './channel-account.ts'
import type { ChannelWallet, OwnChannel } from './channel-wallet.ts'
import { correctAccount } from './correct-account.ts'

/** Where a service pays back, and below which it sells over channels. */
export const CHANNEL_PATH = '/api/channel'

export interface ChannelParts {
  readonly wallet: ChannelWallet
  readonly book: ChannelBook
  readonly readChannel: ReadChannel
  readonly backoff?: Backoff
}

/** Writes the account that a service names to the book; null if the service does not prove it. Rejects with `NoNode`. */
export async function correct(
  parts: ChannelParts,
  channel: OwnChannel,
  account: ChannelAccount,
  required: PaymentRequired,
): Promise<ChannelAccount | null> {
  const corrected = await correctAccount(account, required, { ...parts, channel })
  if (corrected !== null) parts.book.write(channel.id, corrected)
  return corrected
}
