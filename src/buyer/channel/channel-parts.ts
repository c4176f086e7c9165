import type { PaymentRequired } from '@x402/core/types'
import type { Backoff } from '../retry.ts'
import type { ChannelAccount, ChannelBook, ReadChannel } from './channel-account.ts'
import type { ChannelWallet, OwnChannel } from './channel-wallet.ts'
import { correctAccount } from './correct-account.ts'

/** What a buyer works with, whether it buys or asks for its money back. */
export interface ChannelParts {
  readonly wallet: ChannelWallet
  readonly book: ChannelBook
  readonly readChannel: ReadChannel
  readonly backoff?: Backoff
}

/** No node answered. */
export class NoNode extends Error {
  override readonly name = 'NoNode'
}

/** Reads from a node; rejects with {@link NoNode} alone. */
export const readFrom =
  ({ readChannel }: Pick<ChannelParts, 'readChannel'>): ReadChannel =>
  async (id) => {
    try {
      return await readChannel(id)
    } catch (error) {
      throw new NoNode('no node answered', { cause: error })
    }
  }

/** Writes down the account that a service says is right; null if it does not prove it. Rejects with {@link NoNode}. */
export async function correct(
  parts: ChannelParts,
  channel: OwnChannel,
  account: ChannelAccount,
  required: PaymentRequired,
): Promise<ChannelAccount | null> {
  const asked = { wallet: parts.wallet, channel, readChannel: readFrom(parts) }
  const corrected = await correctAccount(account, required, asked)
  if (corrected !== null) parts.book.write(channel.id, corrected)
  return corrected
}
