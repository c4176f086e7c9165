import type { LiveConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import { type ChainReader, ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { withFailover } from '../../payments/chain/failover-reader.ts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { verifyChain } from '../../payments/chain/verified-reader.ts'
import type { Network } from '../../payments/networks/network.ts'

/** Reads the network through the nodes of RPC_URL, in order of preference; a node of another chain is not used. */
export function openLiveChain({ network, rpcUrls }: LiveConfig['chain'], log: Log): ChainReader {
  const nodes = rpcUrls.map((rpcUrl) => openNode(rpcUrl, network))
  return withFailover(nodes, (index) =>
    log.warn({ event: 'node_switched', setting: 'RPC_URL', count: index + 1 }, 'chain'),
  )
}

/**
 * One fault line if a node serves another chain or token: buyers would sign for a contract that does not exist. A
 * silent node is no fault.
 */
export async function wrongNodes({ network, rpcUrls }: LiveConfig['chain']): Promise<string[]> {
  const nodes = rpcUrls.map((rpcUrl) => openNode(rpcUrl, network))
  const faults = await Promise.all(nodes.map((node) => chainFault(node, network)))
  return faults.filter((fault) => fault !== null && fault !== SILENT).slice(0, 1) as string[]
}

const SILENT = 'RPC_URL: the node does not answer'
const openNode = (rpcUrl: string, network: Network): ChainReader =>
  verifyChain(createRpcChainReader({ rpcUrl, token: network.token.address }), network)

/** Returns what is wrong with a node at the moment, as a line for the operator; null if nothing is. */
export async function chainFault(
  chain: Pick<ChainReader, 'head'>,
  { title, chainId }: Network,
): Promise<string | null> {
  try {
    await chain.head()
    return null
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return error.fault === 'wrong_chain'
      ? `RPC_URL: the node serves another chain than ${title} (${chainId}), or one whose token is not the USDC of that network`
      : SILENT
  }
}
