import type { Block } from '../chain/chain-reader.ts'

/** A day: as long as the answer of a sale is kept for its buyer. */
const LOST_SALE_SECONDS = 86_400

/**
 * Whether a payment without a row may belong to a sale that a restored backup or a failover has lost. `validBefore`:
 * UTC seconds.
 */
export const mayBeLostSale = (validBefore: number, head: Block): boolean =>
  head.timestamp <= validBefore + LOST_SALE_SECONDS
