import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { createOwnFacilitator } from '../../../src/payments/facilitators/own-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { freshAccount } from '../chain-payments.ts'
import { createMemoryChain } from './memory-chain.ts'
import { createMemoryChainReader } from './memory-chain-reader.ts'
import { openMemorySession } from './memory-session.ts'

const MINT = parseAbi(['function mint(address to, uint256 value)'])

/** A chain in memory by a clock of the test (UTC seconds), under the real facilitator code; it has no JSON-RPC. */
export function createMemoryBackend(clock?: () => number) {
  const chain = createMemoryChain(clock)
  const { address } = freshAccount()
  return {
    chain,
    name: chain.name,
    rpcUrl: 'http://in-memory.invalid',
    chainReader: createMemoryChainReader(chain),
    facilitator: createOwnFacilitator({
      network: `eip155:${BASE_CHAIN_ID}`,
      token: TOKEN,
      openSession: () => openMemorySession(chain, address),
      contractWallets: 'accept',
    }),
    fund: async (to: Hex, amount: bigint) => {
      await chain.send(TOKEN, encodeFunctionData({ abi: MINT, functionName: 'mint', args: [to, amount] }))
    },
    transact: (to: Hex, data: Hex) => chain.send(to, data),
    stop: async () => {},
  } satisfies ChainBackend & { readonly chain: unknown }
}
