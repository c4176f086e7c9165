import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import { broadcast } from './settlement-transaction.ts'

/** The method is missing, not allowed, or takes other parameters (EIP-1474). */
const NO_METHOD: readonly unknown[] = [-32601, -32004, -32602]

/**
 * Resolves with the receipt if the node answers with it (`eth_sendRawTransactionSync`, EIP-7966), otherwise with
 * undefined: even then the node may have taken the transaction.
 */
export function createFirstBroadcast(client: PublicClient) {
  let isSync = true
  return async (raw: Hex, hash: Hex): Promise<TransactionReceipt | undefined> => {
    if (isSync) {
      try {
        const receipt = await client.sendRawTransactionSync({ serializedTransaction: raw })
        return receipt.transactionHash === hash ? receipt : undefined
      } catch (error) {
        // Nodes refuse a method in many ways, and sending it once more does no harm.
        if (NO_METHOD.includes((error as { readonly code?: unknown }).code)) isSync = false
      }
    }
    await broadcast(client, raw)
    return undefined
  }
}
