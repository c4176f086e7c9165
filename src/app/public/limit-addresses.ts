import { limitPeers } from '../../http/limits/limit-peers.ts'
import { type UnpaidLimiter, unpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { SaleContext } from '../../payments/sale/table/sale-context.ts'
import { repeat } from '../jobs/repeat.ts'
import { shareLimits } from '../jobs/share-limits.ts'
import type { AppOptions } from '../options.ts'

/** How often a replica informs the others of addresses near their limit. */
const SHARE_MS = 1_000
/** 96 bits of a MAC. */
const NAME_LENGTH = 16

/** The limiter of unpaid requests; beside other replicas they count together. */
export function limitAddresses(
  {
    rateLimitUnpaid,
    trustProxy,
    replicaChannel: channel,
  }: Pick<AppOptions, 'rateLimitUnpaid' | 'trustProxy' | 'replicaChannel'>,
  { keys, owner }: Pick<SaleContext, 'keys' | 'owner'>,
): { readonly limiter: UnpaidLimiter; close(): Promise<void> } {
  const options = { perMinute: rateLimitUnpaid, trustedProxies: trustProxy }
  if (channel === undefined) {
    const limiter = unpaidLimiter(options)
    return { limiter, close: async () => limiter.close() }
  }
  const peers = limitPeers()
  const nameOf = (key: string) =>
    keys.mac('limit', Buffer.from(key)).toString('base64url').slice(0, NAME_LENGTH)
  const limiter = unpaidLimiter({ ...options, shared: { peers, nameOf } })
  const sharing = repeat(SHARE_MS, shareLimits({ channel, peers, report: limiter.report, replica: owner }))
  return {
    limiter,
    close: async () => {
      await sharing.stop()
      limiter.close()
    },
  }
}
