import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { repeat } from '../jobs/repeat.ts'

export interface ChainMonitor {
  /** False while the node does not answer: then money is paused, since nothing doubtful could be cleared up. */
  isUp(): boolean
  /**
   * UTC milliseconds by the chain's clock, as of its newest block when it was looked at; ours before the first look.
   *
   * Payments are compared with it and not with our clock, which may be wrong: one made after a claim must never look
   * as if it were older. It is behind by the age that block had, which is seconds.
   */
  time(): number
  stop(): Promise<void>
}

const LOOK_MS = 10_000

/** Looks at once and then every ten seconds whether the node behind RPC_URL answers; it did at boot. */
export function monitorChain(
  chain: ChainReader,
  onChange: (up: boolean) => void,
  now: () => number = Date.now,
): ChainMonitor {
  let up = true
  let seen: { readonly blockAt: number; readonly at: number } | null = null
  const look = async () => {
    const head = await chain.head().catch(() => null)
    if (head !== null) seen = { blockAt: head.timestamp * 1000, at: performance.now() }
    if ((head !== null) !== up) onChange(head !== null)
    up = head !== null
  }
  const loop = repeat(LOOK_MS, look, 0)
  return {
    isUp: () => up,
    time: () => (seen === null ? now() : Math.floor(seen.blockAt + performance.now() - seen.at)),
    stop: loop.stop,
  }
}
