import type { FacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../chain/chain-reader.ts'
import { createExactFacilitator } from './exact-facilitator.ts'
import type { Lock } from './mutex.ts'
import { openRpcSession } from './rpc-session.ts'
import { createSettlementQueue, type SignedTransaction } from './settlement-queue.ts'

export interface SelfFacilitatorOptions {
  readonly rpcUrl: string
  /** Key of the account that pays the gas; holds nothing else and is never the payee. */
  readonly privateKey: Hex
  readonly chainId: number
  readonly token: Hex
  /** Milliseconds to wait for a transaction to be mined before the answer is `settlement_pending`. */
  readonly confirmationTimeoutMs?: number
  /** Milliseconds between two looks for a receipt. */
  readonly receiptIntervalMs?: number
  readonly onSigned?: (transaction: SignedTransaction) => Promise<void> | void
  readonly lock?: Lock
}

// Under the 20 s a settle may take, so that the answer still reaches whoever asked.
const CONFIRMATION_TIMEOUT_MS = 15_000
const RECEIPT_INTERVAL_MS = 500
const REQUEST_TIMEOUT_MS = 5_000

/** A facilitator inside this process: settles over a node's JSON-RPC with a key of its own. */
export function createSelfFacilitator(options: SelfFacilitatorOptions): FacilitatorClient {
  const { rpcUrl, chainId, token, onSigned, lock } = options
  const account = privateKeyToAccount(options.privateKey)
  // No repetition: a repeated broadcast would be answered "nonce too low" for a transaction that was taken.
  const transport = http(rpcUrl, { timeout: REQUEST_TIMEOUT_MS, retryCount: 0, batch: false })
  const client = createPublicClient({ transport, cacheTime: 0 })
  const queue = createSettlementQueue({
    client,
    account,
    chainId,
    ...(onSigned === undefined ? {} : { onSigned }),
    ...(lock === undefined ? {} : { lock }),
  })
  const network: Network = `eip155:${chainId}`
  const receipts = {
    timeoutMs: options.confirmationTimeoutMs ?? CONFIRMATION_TIMEOUT_MS,
    intervalMs: options.receiptIntervalMs ?? RECEIPT_INTERVAL_MS,
  }
  const openSession = () => openRpcSession({ client, queue, sender: account.address, token, receipts })
  return createExactFacilitator({ network, token, openSession })
}
