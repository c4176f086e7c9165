import { type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import type { Outlay } from '../../../../ledger/treasury/treasury-row.ts'
import { authorizationEvent, isPaid } from '../../../chain/authorization-logs.ts'
import type { ContractCall } from '../../../chain/contract-call.ts'
import { authorizationOf, type PayerNonce } from '../../../chain/settlement-calls.ts'

/**
 * Its use, and the transfer that the token logs right after it. Undefined if it was not used there, whatever the
 * transaction's status.
 */
export function pairOf(
  { logs }: Pick<TransactionReceipt, 'logs'>,
  token: Hex,
  name: PayerNonce,
): TransactionReceipt['logs'] | undefined {
  const used = logs.find((log) => authorizationEvent(log, token, name) === 'used')
  return used && logs.filter(({ logIndex }) => logIndex === used.logIndex || logIndex === used.logIndex + 1)
}

/** Whether the aggregator left out the last parts of a batch for want of gas, which its one log says. */
export const wasCutShort = ({ logs, to, contractAddress }: TransactionReceipt): boolean => {
  const aggregator = to ?? contractAddress
  return aggregator != null && logs.some(({ address }) => isAddressEqual(address, aggregator))
}

/** An authorization whose use and transfer are not both in the receipt brought in 0. */
export function sharesOf(
  calls: readonly ContractCall[],
  receipt: Pick<TransactionReceipt, 'logs'>,
  token: Hex,
): Outlay['shares'] {
  return calls.flatMap(({ to, data }) => {
    const used = isAddressEqual(to, token) ? authorizationOf(data) : undefined
    if (used === undefined) return []
    const [use] = pairOf(receipt, token, used) ?? []
    const query = { ...used, amount: used.value }
    const amount = use !== undefined && isPaid(use, receipt.logs, token, query) ? used.value : 0n
    return [{ payer: used.payer, amount }]
  })
}
