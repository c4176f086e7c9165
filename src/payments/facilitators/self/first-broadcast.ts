import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import { broadcast } from './settlement-transaction.ts'

/** That a method is not there, not allowed, or takes other parameters (EIP-1474). */
const NO_METHOD: readonly unknown[] = [-32601, -32004, -32602]

/**
 * Returns a function that hands a new transaction to the node. It resolves with the receipt if the node gives it at once
 * (`eth_sendRawTransactionSync`, EIP-7966), else with nothing: whatever went wrong, the transaction may have been taken.
 */
export function createFirstBroadcast(client: PublicClient) {
  let isSync = true
  return async (raw: Hex, hash: Hex): Promise<TransactionReceipt | undefined> => {
    if (isSync) {
      try {
        const receipt = await client.sendRawTransactionSync({ serializedTransaction: raw })
        return receipt.transactionHash === hash ? receipt : undefined
      } catch (error) {
        // Whatever else went wrong, handing it over once more does no harm, and nodes refuse a method in many ways.
        if (NO_METHOD.includes((error as { readonly code?: unknown }).code)) isSync = false
      }
    }
    await broadcast(client, raw)
    return undefined
  }
}
