import { createPublicClient, fallback, HttpRequestError, http, TimeoutError, type Transport } from 'viem'
import { outboundFetch } from '../../outbound/outbound-fetch.ts'

export interface NodeTransportOptions {
  /** At least one, in order of preference. */
  readonly rpcUrls: readonly string[]
  readonly timeoutMs: number
  readonly retryCount: number
}

/** How long a node that did not answer in time is passed over. */
const REST_MS = 30_000
/** Logs of a window of blocks, or a block. */
const LARGEST_REPLY_BYTES = 10 * 1024 * 1024

/**
 * The next node gets a request that the first does not answer. One that hangs is not waited for each time: a settlement
 * asks a dozen times. After the last one all are asked again.
 */
export function nodeTransport({ rpcUrls, timeoutMs, retryCount }: NodeTransportOptions): Transport {
  const restsUntil = new Map<string, number>()
  const nodes = rpcUrls.map((url): Transport => {
    // viem's time-out comes first: its error tells a node that hangs from one that refuses.
    const fetchFn = outboundFetch({ timeoutMs: 2 * timeoutMs, mostBytes: LARGEST_REPLY_BYTES })
    const node = http(url, { timeout: timeoutMs, retryCount, batch: false, fetchFn })
    return (config) => {
      const { request, ...transport } = node(config)
      const ask: typeof request = async (args, options) => {
        if (performance.now() < (restsUntil.get(url) ?? 0)) throw new Error('the node hung a moment ago')
        try {
          return await request(args, options)
        } catch (error) {
          // That one is answered once the transaction is mined.
          const isLate = error instanceof TimeoutError && args.method !== 'eth_sendRawTransactionSync'
          if (isLate) restsUntil.set(url, performance.now() + REST_MS)
          if (url === rpcUrls.at(-1) && (isLate || error instanceof HttpRequestError)) restsUntil.clear()
          throw error
        }
      }
      return { ...transport, request: ask }
    }
  })
  return fallback(nodes, { rank: false, retryCount: 0 })
}

export const nodeClient = (options: NodeTransportOptions) =>
  createPublicClient({ transport: nodeTransport(options), cacheTime: 0 })
