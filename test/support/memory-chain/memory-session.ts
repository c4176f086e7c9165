import type { FacilitatorEvmSigner } from '@x402/evm'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { verifyTypedData } from 'viem/utils'
import type { ChainSession } from '../../../src/payments/facilitators/chain-session.ts'
import type { MemoryChain } from './memory-chain.ts'

/** The chain in memory behind the facilitator packages' signer interface; it has no outages. */
export function openMemorySession(chain: MemoryChain, facilitator: Hex): ChainSession {
  let sent = false
  const send = (to: Hex, data: Hex) => {
    sent = true
    return chain.send(to, data)
  }

  const signer: FacilitatorEvmSigner = {
    getAddresses: () => [facilitator],
    getCode: async ({ address }) => (chain.hasCode(address) ? '0x00' : undefined),
    readContract: async ({ address, ...call }) => {
      const data = await chain.call(address, encodeFunctionData(call as { abi: Abi; functionName: string }))
      return decodeFunctionResult({ ...(call as { abi: Abi; functionName: string }), data })
    },
    verifyTypedData: (args) => verifyTypedData(args as never),
    writeContract: ({ address, abi, functionName, args }) =>
      send(address, encodeFunctionData({ abi: abi as Abi, functionName, args })),
    sendTransaction: ({ to, data }) => send(to, data),
    waitForTransactionReceipt: async ({ hash }) => ({
      status: 'success',
      logs: chain.transactionLogs(hash) as never,
    }),
  }
  return { signer, outage: () => undefined, hasSent: () => sent, minedAs: () => undefined }
}
