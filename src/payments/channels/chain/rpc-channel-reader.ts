import { type Hex, parseAbi } from 'viem'
import type { LiveConfig } from '../../../config.ts'
import { askNode } from '../../chain/chain-reader.ts'
import { nodeClient } from '../../chain/node-transport.ts'
import type { ChannelReader } from './channel-reader.ts'

const ABI = parseAbi([
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)',
])

const TIMEOUT_MS = 5_000

export function createRpcChannelReader({
  network: { chainId, contracts },
  rpcUrls,
}: LiveConfig['chain']): ChannelReader {
  const client = nodeClient({ rpcUrls, timeoutMs: TIMEOUT_MS, retryCount: 1 })
  const contract = { address: contracts.channels, abi: ABI } as const
  return {
    state: (channelId) =>
      askNode(async () => {
        // All of one block: a refund or claim between the reads would yield a state that never was.
        const blockNumber = await client.getBlockNumber()
        const args = [channelId as Hex] as const
        const at = { ...contract, args, blockNumber }
        const [[balance, totalClaimed], [, initiatedAt], refundNonce] = await Promise.all([
          client.readContract({ ...at, functionName: 'channels' }),
          client.readContract({ ...at, functionName: 'pendingWithdrawals' }),
          client.readContract({ ...at, functionName: 'refundNonce' }),
        ])
        return { balance, totalClaimed, refundNonce, withdrawRequestedAt: Number(initiatedAt) }
      }),
    payee: (receiver, token) =>
      askNode(async () => {
        const [claimed, settled] = await client.readContract({
          ...contract,
          functionName: 'receivers',
          args: [receiver as Hex, token as Hex],
        })
        return { claimed, settled }
      }),
    hasContract: () =>
      askNode(async () => {
        const [answered, code] = await Promise.all([
          client.getChainId(),
          client.getCode({ address: contracts.channels }),
        ])
        return answered === chainId && code !== undefined && code !== '0x'
      }),
  }
}
