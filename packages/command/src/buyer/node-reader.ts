import { createPublicClient, http } from 'viem'
import { outboundFetch } from '../../../../src/outbound/outbound-fetch.ts'

const TIMEOUT_MS = 10_000
const LARGEST_REPLY_BYTES = 10 * 1024 * 1024

/** Reads from a node that the buyer named. */
export const nodeReader = (rpcUrl: string) =>
  createPublicClient({
    transport: http(rpcUrl, {
      timeout: TIMEOUT_MS,
      retryCount: 2,
      fetchFn: outboundFetch({ timeoutMs: TIMEOUT_MS, mostBytes: LARGEST_REPLY_BYTES }),
    }),
  })
