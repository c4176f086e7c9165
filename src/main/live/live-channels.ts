import { askSupport } from '../../app/health/facilitator-check.ts'
import type { AppOptions } from '../../app/options.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import { ifAnswered } from '../../payments/chain/chain-reader.ts'
import { createRpcChannelReader } from '../../payments/channels/chain/rpc-channel-reader.ts'
import type { Signer } from '../../payments/ports/signer.ts'
import { CHANNEL_SCHEME } from '../../payments/terms/channel-terms.ts'
import type { LiveFacilitator } from './live-facilitator.ts'

/**
 * Without an authorizer channels are off. Throws {@link ConfigError} if the node lacks their contract or the facilitator
 * does not settle their scheme: no deposit could be claimed. Silence is no fault: a running service must claim what is
 * charged.
 */
export async function openLiveChannels(
  { chain, payTo }: LiveConfig,
  { authorizer }: Pick<Signer, 'authorizer'>,
  { client, admits }: Pick<LiveFacilitator, 'client' | 'admits'>,
): Promise<Pick<AppOptions, 'channels'>> {
  if (authorizer === null) return {}
  const { network } = chain
  const reader = createRpcChannelReader(chain)
  const faults: string[] = []
  if (authorizer.address.toLowerCase() === payTo.toLowerCase())
    faults.push('RECEIVER_AUTHORIZER_KEY: must not be the key of PAY_TO')
  if ((await ifAnswered(reader.hasContract)) === false)
    faults.push(
      `CHANNELS: the node of RPC_URL has no settlement contract of payment channels on ${network.title}`,
    )
  if ((await askSupport(client, network, CHANNEL_SCHEME)).support === 'unsupported')
    faults.push(`CHANNELS: FACILITATOR_URL does not settle the scheme batch-settlement on ${network.id}`)
  if (faults.length > 0) throw new ConfigError(faults)
  return { channels: { authorizer, reader, ...(admits === undefined ? {} : { admits }) } }
}
