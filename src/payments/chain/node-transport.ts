import { createPublicClient, fallback, http, TimeoutError, type Transport } from 'viem'

export interface NodeTransportOptions {
  /** At least one, in order of preference. */
  readonly rpcUrls: readonly string[]
  /** Per request. */
  readonly timeoutMs: number
  readonly retryCount: number
}

/** How long a node that did not answer in time is passed over. */
const REST_MS = 30_000

/** A request that the first node does not answer goes to the next. */
export function nodeTransport({ rpcUrls, timeoutMs, retryCount }: NodeTransportOptions): Transport {
  const nodes = rpcUrls.map((url, index) => {
    const node = http(url, { timeout: timeoutMs, retryCount, batch: false })
    return index < rpcUrls.length - 1 ? resting(node) : node
  })
  return fallback(nodes, { rank: false, retryCount: 0 })
}

/** A settlement asks a dozen times, and has no time to wait as often for a node that hangs. */
function resting(node: Transport): Transport {
  let restsUntil = 0
  return (config) => {
    const { request, ...transport } = node(config)
    const ask: typeof request = async (args, options) => {
      if (performance.now() < restsUntil) throw new Error('the node did not answer a moment ago')
      try {
        return await request(args, options)
      } catch (error) {
        if (error instanceof TimeoutError) restsUntil = performance.now() + REST_MS
        throw error
      }
    }
    return { ...transport, request: ask }
  }
}

export const nodeClient = (options: NodeTransportOptions) =>
  createPublicClient({ transport: nodeTransport(options), cacheTime: 0 })
