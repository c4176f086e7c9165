import { IN_DOUBT } from '../../../../src/command-line/exit-codes.ts'
import type { BuyOptions, ChannelOptions } from '../buy/buy-options.ts'
import { findPayingKey } from '../buy/buyer-key.ts'
import { resultName } from '../buy/sqlite-file.ts'
import type { ReadChannel } from '../buyer/channel/channel-account.ts'
import { type ChannelWallet, createChannelWallet } from '../buyer/channel/channel-wallet.ts'
import { channelReader } from '../buyer/channel/read-channel.ts'
import { type ChannelFile, defaultChannelFile, openChannelFile } from './channel-file.ts'

type ChannelPlace = Pick<BuyOptions, 'url' | 'network'> & Pick<ChannelOptions, 'file' | 'rpcUrl'>

interface OpenChannel {
  readonly wallet: ChannelWallet
  readonly book: ChannelFile
  readonly readChannel: ReadChannel
}

/** Returns the exit code of `use`, or says that the file failed while something may have been paid. */
export async function withChannel(
  { url, network, file, rpcUrl }: ChannelPlace,
  use: (channel: OpenChannel) => Promise<number>,
): Promise<number> {
  const paying = await findPayingKey(url, network)
  const wallet = createChannelWallet(paying.key, network)
  const book = openChannelFile(file ?? defaultChannelFile(url, wallet.address))
  try {
    return await use({ wallet, book, readChannel: channelReader(rpcUrl ?? paying.rpcUrl) })
  } catch (error) {
    const code = resultName(error)
    if (code === undefined) throw error
    console.error(
      `The channel's file cannot be written (${code}), so it does not say what was paid.\n` +
        'Mend that, and run the same command again: a check is answered and not charged twice.',
    )
    return IN_DOUBT
  } finally {
    book.close()
  }
}
