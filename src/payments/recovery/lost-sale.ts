import type { Block } from '../chain/chain-reader.ts'

/** A day, in seconds: as long as the answer of a sale waits for its buyer. */
const LOST_SALE_SECONDS = 86_400

/**
 * Whether a payment that no row accounts for may still be that of a sale which a store has lost, after a backup was put
 * back or a failover. `validBefore` is the end of its authorization, in UTC seconds.
 */
export const mayBeLostSale = (validBefore: number, head: Block): boolean =>
  head.timestamp <= validBefore + LOST_SALE_SECONDS
