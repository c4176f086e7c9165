import type { ReadChannel } from '../../buyer/channel/channel-account.ts'
import { type ChannelWallet, createChannelWallet } from '../../buyer/channel/channel-wallet.ts'
import { channelReader } from '../../buyer/channel/read-channel.ts'
import type { BuyOptions, ChannelOptions } from '../buy/buy-options.ts'
import { findPayingKey } from '../buy/buyer-key.ts'
import { type ChannelFile, defaultChannelFile, openChannelFile } from './channel-file.ts'

export async function openChannel({
  url,
  network,
  file,
  rpcUrl,
}: Pick<BuyOptions, 'url' | 'network'> & Pick<ChannelOptions, 'file' | 'rpcUrl'>): Promise<{
  readonly wallet: ChannelWallet
  readonly book: ChannelFile
  readonly readChannel: ReadChannel
}> {
  const paying = await findPayingKey(url, network)
  const wallet = createChannelWallet(paying.key, network)
  const book = openChannelFile(file ?? defaultChannelFile(url, wallet.address))
  return { wallet, book, readChannel: channelReader(rpcUrl ?? paying.rpcUrl) }
}
