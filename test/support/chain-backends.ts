import { generatePrivateKey } from 'viem/accounts'
import type { ChainBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { startAnvilBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { createMemoryBackend } from './memory-chain/memory-backend.ts'

/** The anvil of this machine; tests that need it fail without it. */
export function anvilBinary(): string {
  return findAnvil()
}

/** A chain on anvil, whose facilitator pays with `facilitatorKey`. */
export const startAnvil = (facilitatorKey = generatePrivateKey()): Promise<ChainBackend> =>
  startAnvilBackend({ binary: anvilBinary(), facilitatorKey, log: () => {} })

/** The node of the sandbox and the chain in memory of the tests, which must behave as the node does. */
export const BACKENDS: readonly [kind: string, start: () => Promise<ChainBackend>][] = [
  ['anvil', () => startAnvil()],
  ['memory', async () => createMemoryBackend()],
]

/** Makes a block every two seconds, as Base does; returns a function that stops it. */
export function keepMining(rpcUrl: string): () => void {
  const timer = setInterval(() => void callRpc(rpcUrl, 'evm_mine').catch(() => {}), 2_000).unref()
  return () => clearInterval(timer)
}
