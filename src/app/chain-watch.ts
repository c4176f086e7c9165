import type { ChainReader } from '../payments/chain/chain-reader.ts'
import { every } from './every.ts'

export interface ChainWatch {
  /** False while the node does not answer: then money is paused, since nothing doubtful could be cleared up. */
  isUp(): boolean
  stop(): Promise<void>
}

const LOOK_MS = 10_000

/** Looks now and then whether the node behind RPC_URL answers; it did at boot. */
export function watchChain(chain: ChainReader, onChange: (up: boolean) => void): ChainWatch {
  let up = true
  const look = async () => {
    const answers = await chain.head().then(
      () => true,
      () => false,
    )
    if (answers !== up) onChange(answers)
    up = answers
  }
  const loop = every(LOOK_MS, look)
  return { isUp: () => up, stop: loop.stop }
}
