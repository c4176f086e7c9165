import { decodeEventLog, type Hex, isAddressEqual } from 'viem'
import type { AuthorizationQuery } from './chain-reader.ts'
import { TOKEN_ABI } from './token-abi.ts'

export interface TokenLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: number
}

/** Which event of the queried authorization a log is; undefined if it is neither. */
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
 * Whether the log right after `used` in the same transaction moves exactly the amount from payer to payee.
 *
 * A transaction may hold any number of authorizations and transfers. The token emits the two events of one
 * authorization back to back (Circle FiatTokenV2_2, `_transferWithAuthorization`), so only the neighbour belongs to it.
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

/** Decodes an event of the token; undefined for a log of another contract, or of an event unknown here. */
export function decodeTokenEvent(log: TokenLog, token: Hex) {
  if (!isAddressEqual(log.address, token)) return undefined
  try {
    return decodeEventLog({ abi: TOKEN_ABI, topics: [...log.topics] as [Hex, ...Hex[]], data: log.data })
  } catch {
    return undefined
  }
}
