import type { Hex } from 'viem'
import { boundedCache } from '../../../bounded-cache.ts'
import { isRecent } from '../../../is-recent.ts'
import type { QueueClock } from './queue-clock.ts'

const CACHED_MS = 60_000
const MOST_ADDRESSES = 10_000

type ReadCode = (address: Hex) => Promise<Hex | undefined>

/**
 * Remembers for a minute which addresses hold no code: the packages ask twice in one settlement, and payers return. The
 * settler reads a payer's code again before it sends.
 */
export function cacheNoCode(read: ReadCode, { monotonicMs }: QueueClock): ReadCode {
  const without = boundedCache<number>(MOST_ADDRESSES)
  return async (address) => {
    const at = without.get(address)
    if (at !== undefined && isRecent(at, monotonicMs(), CACHED_MS)) return undefined
    const code = await read(address)
    if (code === undefined || code === '0x') without.set(address, monotonicMs())
    return code
  }
}
