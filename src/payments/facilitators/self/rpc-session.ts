import type { FacilitatorEvmSigner } from '@x402/evm'
import { concatHex, encodeFunctionData, type Hex, isAddressEqual, type PublicClient } from 'viem'
import { verifyTypedData } from 'viem/actions'
import type { Purpose } from '../../../ledger/treasury/treasury-row.ts'
import type { PayerNonce } from '../../chain/settlement-calls.ts'
import type { ChainSession } from '../chain-session.ts'
import type { Sent, Settler } from './queue/settler.ts'
import { newestBlock } from './transaction/newest-block.ts'
import { isRevert } from './transaction/rpc-faults.ts'

export interface RpcSessionOptions {
  readonly client: PublicClient
  readonly settler: Settler
  /** The answer that an address holds no code may be a minute old. */
  readonly codeOf: (address: Hex) => Promise<Hex | undefined>
  /** Of the payment to settle; undefined for anything else. */
  readonly authorization: PayerNonce | undefined
  readonly sender: Hex
  readonly token: Hex
  readonly purpose: Purpose
  /** Nothing is signed or waited for afterwards; milliseconds of the monotonic clock. */
  readonly deadline: number
}

/** Stands for the token's code: that the token has some was checked at startup. */
const SOME_CODE: Hex = '0x00'
/** How long a call other than a transfer, such as a wallet's deployment, is offered. */
const OTHER_CALL_SECONDS = 300

/**
 * The view of the chain for one `verify` or `settle`. The packages report every failed read as "invalid signature" or
 * "simulation failed", so failures to reach the chain are recorded here. The token's code is never read: the packages
 * do not await that, so its failure would end the process.
 */
export function openRpcSession(options: RpcSessionOptions): ChainSession {
  const { client, settler, codeOf, authorization, sender, token, purpose, deadline } = options
  let outage: unknown
  let sent: Sent | undefined
  let hasSent = false
  let minedAs: Hex | undefined

  const recordOutage = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isRevert(error)) outage ??= error
      throw error
    }
  }

  const send = async (to: Hex, data: Hex, expiresAt: number): Promise<Hex> => {
    sent = await recordOutage(() => settler.send({ to, data }, { purpose, deadline, expiresAt }))
    hasSent = true
    return sent.hash
  }

  const otherCallEnd = async () => (await recordOutage(() => newestBlock(client))).time + OTHER_CALL_SECONDS

  const signer: FacilitatorEvmSigner = {
    getAddresses: () => [sender],
    getCode: async ({ address }) =>
      isAddressEqual(address, token) ? SOME_CODE : recordOutage(() => codeOf(address)),
    readContract: (args) => recordOutage(() => client.readContract(args)),
    verifyTypedData: (args) => recordOutage(() => verifyTypedData(client, args as never)),
    writeContract: async ({ address, dataSuffix, abi, functionName, args }) => {
      const data = encodeFunctionData({ abi, functionName, args: [...args] })
      const validBefore = functionName === 'transferWithAuthorization' ? args[4] : undefined
      const expiresAt = validBefore === undefined ? await otherCallEnd() : Number(validBefore)
      return send(address, dataSuffix === undefined ? data : concatHex([data, dataSuffix]), expiresAt)
    },
    sendTransaction: async ({ to, data }) => send(to, data, await otherCallEnd()),
    waitForTransactionReceipt: async ({ hash }) => {
      hasSent = true
      const receipt = await settler.confirm(sent?.hash === hash ? sent : { hash }, authorization, deadline)
      minedAs = receipt.transactionHash
      return receipt
    },
  }
  return { signer, outage: () => outage, hasSent: () => hasSent, minedAs: () => minedAs }
}
