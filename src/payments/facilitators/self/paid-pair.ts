import { type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import type { Outlay } from '../../../ledger/treasury-store.ts'
import { authorizationEvent } from '../../chain/authorization-logs.ts'
import { type AuthorizationName, authorizationOf } from './aggregate.ts'
import type { ContractCall } from './gas.ts'

/**
 * The part of a batch's receipt that belongs to one authorization: that it was used, and the event after it, which the token
 * emits back to back. Undefined if it was not used there, whatever the transaction's status is.
 */
export function pairOf(
  { logs }: Pick<TransactionReceipt, 'logs'>,
  token: Hex,
  name: AuthorizationName,
): TransactionReceipt['logs'] | undefined {
  const used = logs.find((log) => authorizationEvent(log, token, name) === 'used')
  return used && logs.filter(({ logIndex }) => logIndex === used.logIndex || logIndex === used.logIndex + 1)
}

/** What each authorization among the calls of a transaction brought in: nothing if its logs are not in the receipt. */
export function sharesOf(
  calls: readonly ContractCall[],
  receipt: Pick<TransactionReceipt, 'logs'>,
  token: Hex,
): Outlay['shares'] {
  return calls.flatMap(({ to, data }) => {
    const used = isAddressEqual(to, token) ? authorizationOf(data) : undefined
    if (used === undefined) return []
    return [{ payer: used.payer, amount: pairOf(receipt, token, used) === undefined ? 0n : used.value }]
  })
}
