import type { Authorization } from '../../authorization/authorization.ts'
import { CLOCK_SKEW_SECONDS, LONGEST_VALIDITY_SECONDS } from '../../authorization/validity-window.ts'
import type { ChainReader } from '../../chain/chain-reader.ts'
import { mayBeLostSale } from '../../recovery/lost-sale.ts'
import { blockBefore } from '../../recovery/search-start.ts'

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
