import type { FacilitatorClient } from '@x402/core/server'
import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainReader, Hex } from '../../src/payments/chain/chain-reader.ts'
import { createExactFacilitator } from '../../src/payments/facilitators/exact-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { createMemoryChain } from '../../src/sandbox/chain/memory-chain.ts'
import { createMemoryChainReader } from '../../src/sandbox/chain/memory-chain-reader.ts'
import { openMemorySession } from '../../src/sandbox/chain/memory-session.ts'
import type { BenchClock } from './bench-clock.ts'
import { startAnvil } from './chain-backends.ts'
import { freshAccount } from './chain-payments.ts'

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

const MINT = parseAbi(['function mint(address to, uint256 value)'])

/** The chain in memory, by the bench's clock. */
export async function memoryBenchChain(clock: BenchClock): Promise<BenchChain> {
  const chain = createMemoryChain(clock.seconds)
  const { address } = freshAccount()
  return {
    reader: createMemoryChainReader(chain),
    headNumber: () => chain.head().number,
    facilitator: createExactFacilitator({
      network: `eip155:${BASE_CHAIN_ID}`,
      token: TOKEN,
      openSession: () => openMemorySession(chain, address),
    }),
    fund: async (to, amount) => {
      await chain.send(TOKEN, encodeFunctionData({ abi: MINT, functionName: 'mint', args: [to, amount] }))
    },
    transact: (to, data) => chain.send(to, data),
    stop: async () => {},
  }
}

/** A real node, by the machine's clock, with which the bench's runs from then on. */
export async function anvilBenchChain(clock: BenchClock): Promise<BenchChain & { readonly rpcUrl: string }> {
  clock.run()
  const backend = await startAnvil()
  return { ...backend, reader: backend.chainReader, headNumber: () => null, rpcUrl: backend.rpcUrl as string }
}
