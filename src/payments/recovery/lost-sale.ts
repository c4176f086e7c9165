import type { Authorization } from '../authorization/authorization.ts'
import { CLOCK_SKEW_SECONDS, LONGEST_VALIDITY_SECONDS } from '../authorization/validity-window.ts'
import type { Block, ChainReader } from '../chain/chain-reader.ts'
import { blockBefore } from './search-start.ts'

/** A day, in seconds: as long as the answer of a sale waits for its buyer. */
const LOST_SALE_SECONDS = 86_400

/**
 * Whether a payment that no row accounts for may still be that of a sale which a store has lost, after a backup was put
 * back or a failover. `validBefore` is the end of its authorization, in UTC seconds.
 */
export const mayBeLostSale = (validBefore: number, head: Block): boolean =>
  head.timestamp <= validBefore + LOST_SALE_SECONDS

/**
 * Whether an authorization that was used may lately have paid this service what it says: it did, or no log says what it
 * was used for, as at a node that indexes late. A sale is claimed within the longest validity before the end, so no older
 * block is searched. Rejects with `ChainUnavailable`.
 */
export async function mayHavePaidLately(chain: ChainReader, authorization: Authorization): Promise<boolean> {
  const { from, nonce, to, value } = authorization
  const validBefore = Number(authorization.validBefore)
  const head = await chain.head()
  const isTooLong = validBefore > head.timestamp + LONGEST_VALIDITY_SECONDS + CLOCK_SKEW_SECONDS
  if (isTooLong || !mayBeLostSale(validBefore, head)) return false
  const fromBlock = await blockBefore(chain, head, validBefore - LONGEST_VALIDITY_SECONDS)
  const trace = await chain.trace({ payer: from, nonce, payTo: to, amount: value, fromBlock })
  return trace.kind === 'used' && (trace.payments.length > 0 || trace.elsewhere.length === 0)
}
