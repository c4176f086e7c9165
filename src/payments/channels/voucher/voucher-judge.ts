import { boundedCache } from '../../../caches/bounded-cache.ts'
import type { ChannelConfig } from '../../../ledger/channels/channel-row.ts'
import type { RecoverSigner } from '../../authorization/recover-signer.ts'
import { isCanonical } from '../../authorization/signature.ts'
import type { Network } from '../../networks/network.ts'
import type { ChannelPayment } from './decode-channel-payment.ts'
import { channelDigests } from './digests.ts'

/** Whether a payment names the channel of its configuration, and that channel's key signed the voucher. */
export type VoucherJudge = (payment: ChannelPayment) => Promise<boolean>

const MOST_CHANNELS = 10_000

/** Reads no chain. Keeps configurations whose id was computed: that takes some 45 µs, ten times a voucher's digest. */
export function createVoucherJudge(network: Network, recover: RecoverSigner): VoucherJudge {
  const { channelIdOf, voucherDigest } = channelDigests(network)
  const configs = boundedCache<ChannelConfig>(MOST_CHANNELS)

  const isIdOf = (id: string, config: ChannelConfig): boolean => {
    const known = configs.get(id)
    if (known !== undefined) return isSame(known, config)
    if (channelIdOf(config) !== id) return false
    configs.set(id, config)
    return true
  }
  return async ({ config, voucher }) => {
    const { channelId, amount, signature } = voucher
    if (!isCanonical(signature) || !isIdOf(channelId, config)) return false
    const signer = await recover(voucherDigest(channelId, amount), Buffer.from(signature.slice(2), 'hex'))
    return signer === config.payerAuthorizer
  }
}

const isSame = (one: ChannelConfig, other: ChannelConfig): boolean =>
  one.payer === other.payer &&
  one.payerAuthorizer === other.payerAuthorizer &&
  one.receiver === other.receiver &&
  one.receiverAuthorizer === other.receiverAuthorizer &&
  one.token === other.token &&
  one.withdrawDelay === other.withdrawDelay &&
  one.salt === other.salt
