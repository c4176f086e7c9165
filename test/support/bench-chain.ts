import type { FacilitatorClient } from '@x402/core/server'
import type { Hex } from 'viem'
import type { ChainReader } from '../../src/payments/chain/chain-reader.ts'
import type { BenchClock } from './bench-clock.ts'
import { startAnvil } from './chain-backends.ts'
import { createMemoryBackend } from './memory-chain/memory-backend.ts'

/** The parts of a chain that a sale is tested on. */
export interface BenchChain {
  readonly reader: ChainReader
  /** Number of the newest block; null if it is not known without a question. */
  headNumber(): bigint | null
  /** The reference implementation over this chain. */
  readonly facilitator: FacilitatorClient
  fund(address: Hex, amount: bigint): Promise<void>
  /** Sends a call from an account of no importance. */
  transact(to: Hex, data: Hex): Promise<Hex>
  stop(): Promise<void>
}

/** The chain in memory, by the bench's clock. */
export async function memoryBenchChain(clock: BenchClock): Promise<BenchChain> {
  const { chain, chainReader, ...parts } = createMemoryBackend(clock.seconds)
  return { ...parts, reader: chainReader, headNumber: () => chain.head().number }
}

/** A real node, by the machine's clock, with which the bench's runs from then on. */
export async function anvilBenchChain(clock: BenchClock): Promise<BenchChain & { readonly rpcUrl: string }> {
  clock.run()
  const backend = await startAnvil()
  return { ...backend, reader: backend.chainReader, headNumber: () => null, rpcUrl: backend.rpcUrl }
}
