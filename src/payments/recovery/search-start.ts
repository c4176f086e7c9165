import type { Hex } from 'viem'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { AuthorizationQuery, Block, ChainReader } from '../chain/chain-reader.ts'
import { transactionHashOf } from '../chain/transaction-hash.ts'

/** An hour of Base. Most authorizations that were used before their claim were used shortly before it. */
const LOOK_BACK_BLOCKS = 1_800n
const SECONDS_PER_BLOCK = 2

/** On any network. A node that names a head further from the claim lies, and the search would take hours. */
const MOST_BLOCKS_PER_SECOND = 5

export function traceQuery(row: PaymentRow, head: Block, now: number): AuthorizationQuery {
  const fromBlock = searchStart(row, head)
  const sinceClaim = Math.max(0, Math.ceil((now - row.claimedAt) / 1000)) * MOST_BLOCKS_PER_SECOND
  return {
    payer: row.payer as Hex,
    nonce: row.nonce as Hex,
    payTo: row.payTo as Hex,
    amount: row.amount,
    transaction: transactionHashOf(row.transaction) as Hex | null,
    fromBlock,
    // The clock may have been put back since.
    toBlock: fromBlock + 2n * LOOK_BACK_BLOCKS + BigInt(sinceClaim),
  }
}

export function searchStart({ claimedBlock, claimedAt }: PaymentRow, head: Block): bigint {
  const start = (claimedBlock ?? blockAt(head, Math.floor(claimedAt / 1000))) - LOOK_BACK_BLOCKS
  return start > 0n ? start : 0n
}

/** UTC seconds. */
export function blockAt(head: Block, time: number): bigint {
  return head.number - BigInt(Math.max(0, Math.ceil((head.timestamp - time) / SECONDS_PER_BLOCK)))
}

/**
 * Returns a block from before `time` (UTC seconds). The chain confirms the estimate, because its blocks may come
 * faster.
 */
export async function blockBefore(chain: ChainReader, head: Block, time: number): Promise<bigint> {
  let number = blockAt(head, time)
  for (let step = 1n; number > 0n && (await chain.block(number)).timestamp >= time; step *= 2n) number -= step
  return number > 0n ? number : 0n
}
