import type { Hex, TransactionReceipt } from 'viem'
import { authorizationEvent } from '../../chain/authorization-logs.ts'

/** Names one authorization, in lower case. */
export interface AuthorizationName {
  readonly payer: Hex
  readonly nonce: Hex
}

/**
 * The part of a batch's receipt that belongs to one authorization: that it was used, and the event after it, which the token
 * emits back to back. Undefined if it was not used there, whatever the transaction's status is.
 */
export function pairOf(
  { logs }: TransactionReceipt,
  token: Hex,
  name: AuthorizationName,
): TransactionReceipt['logs'] | undefined {
  const used = logs.find((log) => authorizationEvent(log, token, name) === 'used')
  return used && logs.filter(({ logIndex }) => logIndex === used.logIndex || logIndex === used.logIndex + 1)
}
