import { setTimeout as sleep } from 'node:timers/promises'
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
  readonly receipts: { readonly timeoutMs: number; readonly intervalMs: number }
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
export function openRpcSession(options: RpcSessionOptions): ChainSession {
  const { client, queue, token } = options
  let outage: unknown
  let sent = false

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
    getAddresses: () => [options.sender],
    getCode: async ({ address }) =>
      isAddressEqual(address, token) ? SOME_CODE : noting(() => client.getCode({ address })),
    readContract: (args) => noting(() => client.readContract(args)),
    verifyTypedData: (args) => noting(() => verifyTypedData(client, args as never)),
    writeContract: ({ address, dataSuffix, ...call }) => {
      const data = encodeFunctionData(call)
      return send(address, dataSuffix === undefined ? data : concatHex([data, dataSuffix]))
    },
    sendTransaction: ({ to, data }) => send(to, data),
    waitForTransactionReceipt: ({ hash }) => {
      sent = true
      return awaitReceipt(client, hash, options.receipts)
    },
  }
  return { signer, outage: () => outage, hasSent: () => sent }
}

/** Looks for a receipt until there is one; rejects when the time is over. Failures to look are waited out. */
async function awaitReceipt(
  client: PublicClient,
  hash: Hex,
  { timeoutMs, intervalMs }: RpcSessionOptions['receipts'],
) {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch {
      await sleep(Math.min(intervalMs, Math.max(0, deadline - Date.now())))
    }
  }
  throw new Error('no receipt in time')
}
