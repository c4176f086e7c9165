import { createPublicClient, fallback, http, type Transport } from 'viem'

export interface NodeTransportOptions {
  /** At least one, in order of preference. */
  readonly rpcUrls: readonly string[]
  /** Per request. */
  readonly timeoutMs: number
  readonly retryCount: number
}

/** A request that the first node does not answer goes to the next. */
export function nodeTransport({ rpcUrls, timeoutMs, retryCount }: NodeTransportOptions): Transport {
  const nodes = rpcUrls.map((url) => http(url, { timeout: timeoutMs, retryCount, batch: false }))
  const [only] = nodes
  return nodes.length === 1 && only !== undefined ? only : fallback(nodes, { rank: false, retryCount: 0 })
}

export const nodeClient = (options: NodeTransportOptions) =>
  createPublicClient({ transport: nodeTransport(options), cacheTime: 0 })
