import { createPublicClient, type Hex, http, parseEventLogs } from 'viem'
import { TOKEN_ABI } from '../../src/payments/networks/token-abi.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'

/** Reads balances, and the transfers of a transaction, from a node. */
export function lookAtChain(rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  return {
    balance: (account: Hex) =>
      client.readContract({ address: TOKEN, abi: TOKEN_ABI, functionName: 'balanceOf', args: [account] }),
    async transfers(hash: Hex) {
      const receipt = await client.getTransactionReceipt({ hash })
      const logs = parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: receipt.logs })
      return logs.map(({ args }) => ({ from: args.from, to: args.to, value: args.value }))
    },
  }
}
