import { createPublicClient, http, parseAbi } from 'viem'
import type { ReadChannel } from './channel-account.ts'

/** The settlement contract of payment channels, the same on every chain (@x402/evm 2.27). */
const SETTLEMENT = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
const ABI = parseAbi(['function channels(bytes32) view returns (uint128 balance, uint128 totalClaimed)'])
const TIMEOUT_MS = 10_000

/** Reads channels over a node's JSON-RPC. */
export function channelReader(rpcUrl: string): ReadChannel {
  const client = createPublicClient({
    transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 }),
    cacheTime: 0,
  })
  return async (id) => {
    const [balance, totalClaimed] = await client.readContract({
      ...{ address: SETTLEMENT, abi: ABI, functionName: 'channels' },
      args: [id],
    })
    return { balance, totalClaimed }
  }
}
