import type { FacilitatorClient } from '@x402/core/server'
import type { LocalAccount } from 'viem'
import type { AppOptions } from '../../app/options.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import { createRpcChannelReader } from '../../payments/channels/chain/rpc-channel-reader.ts'
import type { Network } from '../../payments/networks/network.ts'
import { CHANNEL_SCHEME } from '../../payments/terms/channel-terms.ts'
import type { LiveFacilitator } from './live-facilitator.ts'

/**
 * Opens payment channels; without `authorizer` they are off. Throws {@link ConfigError} if the node does not have their
 * contract or the facilitator does not settle their scheme: no deposit could be claimed.
 */
export async function openLiveChannels(
  { rpcUrls, payTo, network }: LiveConfig,
  authorizer: LocalAccount | null,
  { client, admits }: Pick<LiveFacilitator, 'client' | 'admits'>,
): Promise<Pick<AppOptions, 'channels'>> {
  if (authorizer === null) return {}
  const reader = createRpcChannelReader(rpcUrls, network)
  const faults: string[] = []
  if (authorizer.address.toLowerCase() === payTo.toLowerCase())
    faults.push('RECEIVER_AUTHORIZER_KEY: must not be the key of PAY_TO')
  if (!(await reader.hasContract().catch(() => false)))
    faults.push(
      `CHANNELS: RPC_URL does not answer for the settlement contract of payment channels on ${network.title}`,
    )
  if (!(await takesChannels(client, network)))
    faults.push(`CHANNELS: FACILITATOR_URL does not settle the scheme batch-settlement on ${network.id}`)
  if (faults.length > 0) throw new ConfigError(faults)
  return { channels: { authorizer, reader, ...(admits === undefined ? {} : { admits }) } }
}

async function takesChannels(facilitator: FacilitatorClient, { id }: Network): Promise<boolean> {
  try {
    const { kinds } = await facilitator.getSupported()
    return kinds.some(({ scheme, network }) => scheme === CHANNEL_SCHEME && network === id)
  } catch {
    return false
  }
}
