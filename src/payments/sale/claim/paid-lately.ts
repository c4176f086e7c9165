import type { Authorization } from '../../authorization/authorization.ts'
import { CLOCK_SKEW_SECONDS, LONGEST_VALIDITY_SECONDS } from '../../authorization/validity-window.ts'
import type { ChainReader } from '../../chain/chain-reader.ts'
import { mayBeLostSale } from '../../recovery/lost-sale.ts'
import { blockBefore } from '../../recovery/search-start.ts'

/**
 * Whether a used authorization may be a recent sale of this service: its logs say so, or there are none, as at a node
 * that indexes late. A sale is claimed at most `LONGEST_VALIDITY_SECONDS` before the authorization ends, so older
 * blocks are not searched. Rejects with `ChainUnavailable`.
 */
export async function mayHavePaidLately(chain: ChainReader, authorization: Authorization): Promise<boolean> {
  const { from, nonce, to, value } = authorization
  const validBefore = Number(authorization.validBefore)
  const head = await chain.head()
  const isTooLong = validBefore > head.timestamp + LONGEST_VALIDITY_SECONDS + CLOCK_SKEW_SECONDS
  if (isTooLong || !mayBeLostSale(validBefore, head)) return false
  const fromBlock = await blockBefore(chain, head, validBefore - LONGEST_VALIDITY_SECONDS)
  const range = { fromBlock, toBlock: head.number }
  const trace = await chain.trace({ payer: from, nonce, payTo: to, amount: value, ...range })
  return trace.kind === 'used' && (trace.payments.length > 0 || trace.elsewhere.length === 0)
}
