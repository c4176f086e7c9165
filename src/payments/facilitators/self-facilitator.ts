import type { FacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../chain/chain-reader.ts'
import { createExactFacilitator } from './exact-facilitator.ts'
import type { Lock } from './mutex.ts'
import { openRpcSession } from './rpc-session.ts'
import {
  createSettlementQueue,
  type SettlementQueueOptions,
  type SignedTransaction,
} from './settlement-queue.ts'

export interface SelfFacilitatorOptions {
  readonly rpcUrl: string
  /** Key of the account that pays the gas; holds nothing else and is never the payee. */
  readonly privateKey: Hex
  readonly chainId: number
  readonly token: Hex
  /** Milliseconds; the defaults suit Base. */
  readonly timing?: Partial<SettlementQueueOptions['timing']>
  /** Milliseconds one request to the node may take; 5,000 by default. */
  readonly requestTimeoutMs?: number
  readonly onSigned?: (transaction: SignedTransaction) => Promise<void> | void
  readonly lock?: Lock
}

// Confirmation stays under the 20 s a settle may take, so that the answer still reaches whoever asked.
const TIMING = { confirmMs: 15_000, lookMs: 500, replaceMs: 6_000 }
const REQUEST_TIMEOUT_MS = 5_000

/** A facilitator inside this process: settles over a node's JSON-RPC with a key of its own. */
export function createSelfFacilitator(options: SelfFacilitatorOptions): FacilitatorClient {
  const { rpcUrl, chainId, token, onSigned, lock } = options
  const account = privateKeyToAccount(options.privateKey)
  // No repetition: a repeated broadcast would be answered "nonce too low" for a transaction that was taken.
  const transport = http(rpcUrl, {
    timeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    retryCount: 0,
    batch: false,
  })
  const client = createPublicClient({ transport, cacheTime: 0 })
  const queue = createSettlementQueue({
    client,
    account,
    chainId,
    timing: { ...TIMING, ...options.timing },
    ...(onSigned === undefined ? {} : { onSigned }),
    ...(lock === undefined ? {} : { lock }),
  })
  const network: Network = `eip155:${chainId}`
  const openSession = () => openRpcSession({ client, queue, sender: account.address, token })
  return createExactFacilitator({ network, token, openSession })
}
