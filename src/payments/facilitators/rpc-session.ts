import type { FacilitatorEvmSigner } from '@x402/evm'
import { concatHex, encodeFunctionData, isAddressEqual, type PublicClient } from 'viem'
import { verifyTypedData } from 'viem/actions'
import type { Hex } from '../chain/chain-reader.ts'
import type { ChainSession } from './exact-facilitator.ts'
import { isRevert } from './rpc-faults.ts'
import type { SettlementQueue } from './settlement-queue.ts'

export interface RpcSessionOptions {
  readonly client: PublicClient
  readonly queue: SettlementQueue
  /** Address of the queue's account. */
  readonly sender: Hex
  readonly token: Hex
}

// Stands for "there is code": the boot has checked that the token has some.
const SOME_CODE: Hex = '0x00'

/**
 * One verify's or settle's view of the chain.
 *
 * The facilitator packages turn every failure of a read into "invalid signature" or "simulation failed", so
 * each failure that is not the contract's own answer is noted here. The token's code is never asked for: that
 * question runs unawaited inside the packages and its failure would end the process.
 */
export function openRpcSession({ client, queue, sender, token }: RpcSessionOptions): ChainSession {
  let outage: unknown
  let sent = false
  let minedAs: Hex | undefined

  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isRevert(error)) outage ??= error
      throw error
    }
  }

  const send = async (to: Hex, data: Hex): Promise<Hex> => {
    const hash = await noting(() => queue.send({ to, data }))
    sent = true
    return hash
  }

  const signer: FacilitatorEvmSigner = {
    getAddresses: () => [sender],
    getCode: async ({ address }) =>
      isAddressEqual(address, token) ? SOME_CODE : noting(() => client.getCode({ address })),
    readContract: (args) => noting(() => client.readContract(args)),
    verifyTypedData: (args) => noting(() => verifyTypedData(client, args as never)),
    writeContract: ({ address, dataSuffix, abi, functionName, args }) => {
      const data = encodeFunctionData({ abi, functionName, args: [...args] })
      return send(address, dataSuffix === undefined ? data : concatHex([data, dataSuffix]))
    },
    sendTransaction: ({ to, data }) => send(to, data),
    waitForTransactionReceipt: async ({ hash }) => {
      sent = true
      const receipt = await queue.confirm(hash)
      minedAs = receipt.transactionHash
      return receipt
    },
  }
  return { signer, outage: () => outage, hasSent: () => sent, minedAs: () => minedAs }
}
