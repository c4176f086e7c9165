import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createExactFacilitator } from '../../payments/facilitators/exact-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../addresses.ts'
import type { ChainBackend } from './chain-backend.ts'
import { createMemoryChain } from './memory-chain.ts'
import { createMemoryChainReader } from './memory-chain-reader.ts'
import { openMemorySession } from './memory-session.ts'

const MINT = parseAbi(['function mint(address to, uint256 value)'])

/** A sandbox chain in memory, for machines without anvil, under the real facilitator code. */
export function createMemoryBackend(facilitatorKey: Hex): ChainBackend {
  const chain = createMemoryChain()
  const { address } = privateKeyToAccount(facilitatorKey)
  return {
    kind: 'memory',
    name: chain.name,
    rpcUrl: null,
    chainReader: createMemoryChainReader(chain),
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
