import { type ChainFault, type ChainReader, ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { repeat } from '../jobs/repeat.ts'

/** `unknown`: not asked yet. `stalled`: the node answers, but its newest block stays the same. */
export type ChainState = 'up' | 'unknown' | 'stalled' | ChainFault

export type ChainMonitor = ReturnType<typeof monitorChain>

const POLL_MS = 5_000
/** Base makes a block every two seconds. */
const STALLED_MS = 30_000
/**
 * Half of the time that a payment is valid. If the clock is off by all of that time, every payment is over on
 * arrival.
 */
const CLOCK_OFF_MS = 60_000
/** Blocks whose times pass this much faster than ours come after a standstill. */
const CATCH_UP_RATE = 2

/**
 * A standstill is measured by the monotonic clock, because our wall clock may be wrong. `onClockOff` is called once,
 * with the milliseconds by which a new block shows it to be ahead.
 */
export function monitorChain(
  chain: Pick<ChainReader, 'head'>,
  onChange: (state: ChainState) => void,
  now: () => number = Date.now,
  onClockOff: (byMs: number) => void = () => {},
) {
  let state: ChainState = 'unknown'
  let seen: { readonly number: bigint; readonly blockAt: number; readonly at: number } | null = null
  let aheadMs: number | null = null
  let isClockOff = false
  let isReported = false
  /** How far our wall clock was from the monotonic one at the newest block. */
  let wallMs = Number.NaN
  const wallNow = () => now() - performance.now()
  const compareClocks = (blockAt: number, at: number) => {
    const byMs = now() - blockAt
    const isOff = Math.abs(byMs) > CLOCK_OFF_MS
    const isCatchingUp = seen !== null && blockAt - seen.blockAt > CATCH_UP_RATE * (at - seen.at)
    isClockOff = isOff && !isCatchingUp
    wallMs = wallNow()
    // The first block may be old.
    if (seen === null) return
    aheadMs = byMs
    if (isOff && !isReported) onClockOff(byMs)
    isReported = isOff
  }
  const poll = async () => {
    const next = await chain.head().then(
      ({ number, timestamp }): ChainState => {
        const at = performance.now()
        if (seen === null || number > seen.number) {
          compareClocks(timestamp * 1000, at)
          seen = { number, blockAt: timestamp * 1000, at }
        }
        if (at - seen.at < STALLED_MS) return 'up'
        // The node may have named a block that never was: any block after the one it names now is news.
        seen = { ...seen, number }
        return 'stalled'
      },
      (error: unknown): ChainState => (error instanceof ChainUnavailable ? error.fault : 'no_answer'),
    )
    const isNews = next !== state && !(state === 'unknown' && next === 'up')
    state = next
    if (isNews) onChange(next)
  }
  const firstPoll = poll()
  const loop = repeat(POLL_MS, poll)
  return {
    /** Unless it is `up`, new sales pause, because a doubtful one could not be resolved. */
    state: () => state,
    /** Number of the newest block seen; null before the first answer. */
    head: () => seen?.number ?? null,
    /**
     * UTC milliseconds by the chain's clock; null before the first answer. It is behind by the age of the newest block,
     * a few seconds.
     */
    time: () => (seen === null ? null : Math.floor(seen.blockAt + performance.now() - seen.at)),
    /** Not while the chain catches up after a standstill, when its blocks carry old times. */
    isClockOff: () => state === 'up' && (isClockOff || Math.abs(wallNow() - wallMs) > CLOCK_OFF_MS),
    /** How far our clock was ahead when the newest block came; null if no block came yet or the chain is not up. */
    clockAheadMs: () => (state === 'up' ? aheadMs : null),
    /** Resolves after the first poll of the node, also if it failed. */
    firstPoll,
    stop: loop.stop,
  }
}
