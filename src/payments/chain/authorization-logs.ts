import { decodeEventLog, type Hex, isAddressEqual } from 'viem'
import { TOKEN_ABI } from '../networks/token-abi.ts'
import type { AuthorizationQuery } from './chain-reader.ts'

export interface TokenLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: number
}

/** Undefined for a log of another authorization or event. */
export function authorizationEvent(
  log: TokenLog,
  token: Hex,
  query: Pick<AuthorizationQuery, 'payer' | 'nonce'>,
): 'used' | 'canceled' | undefined {
  const event = decodeTokenEvent(log, token)
  if (event === undefined || event.eventName === 'Transfer') return undefined
  const { authorizer, nonce } = event.args
  if (!isAddressEqual(authorizer, query.payer)) return undefined
  if (nonce.toLowerCase() !== query.nonce.toLowerCase()) return undefined
  return event.eventName === 'AuthorizationUsed' ? 'used' : 'canceled'
}

/**
 * A transaction may hold many authorizations and transfers; the token emits the two events of one authorization back to
 * back (Circle FiatTokenV2_2, `_transferWithAuthorization`).
 */
export function isPaid(
  used: TokenLog,
  logs: readonly TokenLog[],
  token: Hex,
  query: AuthorizationQuery,
): boolean {
  const next = logs.find((log) => log.logIndex === used.logIndex + 1)
  const event = next === undefined ? undefined : decodeTokenEvent(next, token)
  if (event === undefined || event.eventName !== 'Transfer') return false
  const { from, to, value } = event.args
  return isAddressEqual(from, query.payer) && isAddressEqual(to, query.payTo) && value === query.amount
}

/** Undefined for a log of another contract, or of an event that `TOKEN_ABI` lacks. */
export function decodeTokenEvent(log: TokenLog, token: Hex) {
  if (!isAddressEqual(log.address, token)) return undefined
  try {
    return decodeEventLog({ abi: TOKEN_ABI, topics: [...log.topics] as [Hex, ...Hex[]], data: log.data })
  } catch {
    return undefined
  }
}
