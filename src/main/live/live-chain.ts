import type { Log } from '../../log.ts'
import { type ChainReader, ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { withFailover } from '../../payments/chain/failover-reader.ts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { USDC } from '../../payments/chain/usdc.ts'
import { verifyChain } from '../../payments/chain/verified-reader.ts'
import { CHAIN_ID } from '../../payments/terms/terms.ts'

/** Reads Base through the nodes of RPC_URL, in order of preference; a node of another chain is not used. */
export function openLiveChain(rpcUrls: readonly string[], log: Log): ChainReader {
  const nodes = rpcUrls.map((rpcUrl) =>
    verifyChain(createRpcChainReader({ rpcUrl, token: USDC }), { chainId: CHAIN_ID, token: USDC }),
  )
  return withFailover(nodes, {
    onSwitch: (index) => log.warn({ event: 'node_switched', setting: 'RPC_URL', count: index + 1 }, 'chain'),
  })
}

/** What is wrong with the nodes at the moment, as a line for the operator; null if nothing is. */
export async function chainFault(chain: Pick<ChainReader, 'head'>): Promise<string | null> {
  try {
    await chain.head()
    return null
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return error.fault === 'wrong_chain'
      ? `RPC_URL: the node serves another chain than Base (${CHAIN_ID}), or one without USDC`
      : 'RPC_URL: the node does not answer'
  }
}
