import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { parseAbi } from 'viem'
import { nodeReader } from '../node-reader.ts'
import { NoNode, type ReadChannel } from './channel-account.ts'

const ABI = parseAbi(['function channels(bytes32) view returns (uint128 balance, uint128 totalClaimed)'])

export function channelReader(rpcUrl: string): ReadChannel {
  const client = nodeReader(rpcUrl)
  return async (id) => {
    try {
      const [balance, totalClaimed] = await client.readContract({
        address: BATCH_SETTLEMENT_ADDRESS,
        abi: ABI,
        functionName: 'channels',
        args: [id],
      })
      return { balance, totalClaimed }
    } catch (cause) {
      throw new NoNode('no node answered', { cause })
    }
  }
}
