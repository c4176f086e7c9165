import { boundedCache } from '../../bounded-cache.ts'
import { isRecent } from '../../is-recent.ts'
import type { ChainReader } from './chain-reader.ts'

const CACHED_MS = 60_000
const MOST_ADDRESSES = 10_000

/** A reader that asks at most once a minute whether an address holds code. */
export function cacheCode(chain: ChainReader, now: () => number): ChainReader {
  const known = boundedCache<{ readonly hasCode: boolean; readonly at: number }>(MOST_ADDRESSES)
  return {
    ...chain,
    async hasCode(address) {
      const cached = known.get(address)
      if (cached !== undefined && isRecent(cached.at, now(), CACHED_MS)) return cached.hasCode
      const hasCode = await chain.hasCode(address)
      known.set(address, { hasCode, at: now() })
      return hasCode
    },
  }
}
