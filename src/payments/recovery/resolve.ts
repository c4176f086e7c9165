import type { Ledger, PaymentRow } from '../../ledger/ledger.ts'
import { blockBefore } from '../chain/block-before.ts'
import type { Block, ChainReader, Hex, PaymentOnChain } from '../chain/chain-reader.ts'

/** What the chain says of a row whose outcome nobody was told. */
export type Resolution =
  /** It was paid: the row is settled now, or was already. */
  | { readonly kind: 'settled'; readonly row: PaymentRow }
  /** It was not paid and never can be. */
  | { readonly kind: 'void'; readonly row: PaymentRow }
  /** Not used so far; it may still be settled. */
  | { readonly kind: 'unused'; readonly row: PaymentRow }
  /** Used, and no payment of ours could be found: stays in doubt. */
  | { readonly kind: 'unexplained'; readonly row: PaymentRow }

export interface ResolveOptions {
  readonly ledger: Ledger
  readonly chain: ChainReader
  /** UTC milliseconds. */
  readonly now: () => number
  /** Blocks under the head at which a state counts as final; 0 where blocks are never replaced. */
  readonly finalityDepth: bigint
}

/** A node's clock and ours may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 2
/** A newest block older than this means that our clock is wrong, or the node behind; blocks come every two seconds. */
const OLD_HEAD_SECONDS = 30

/**
 * Reads the chain for one row that had reached `settling`, and moves it where the chain leaves no doubt.
 *
 * No clock of ours judges: `void` needs a block whose own timestamp is past `validBefore`, far enough under the head,
 * with the authorization unused (or canceled) in that very block. Rejects with `ChainUnavailable` when the node does
 * not answer and with `StoreUnavailable` when the ledger does not.
 */
export async function resolvePayment(options: ResolveOptions, row: PaymentRow): Promise<Resolution> {
  const { chain, finalityDepth } = options
  const key = { payer: row.payer as Hex, nonce: row.nonce as Hex }
  const head = await chain.head()
  const claimed = claimedOnChain(row, head, options.now())
  const before = await blockBefore(chain, head, claimed)
  const trace = await chain.trace({
    ...key,
    payTo: row.payTo as Hex,
    amount: row.amount,
    ...(before === null ? {} : { fromBlock: before.number }),
  })
  if (trace.kind === 'used') {
    const ours = trace.payments.filter((payment) => payment.blockTimestamp >= claimed)
    // It was paid: whoever else works on the row by now will find that too.
    if (ours.length > 0) return settleFrom(options, row, ours)
    const usedBefore = before !== null && (await chain.authorizationUsed(key.payer, key.nonce, before.number))
    return usedBefore || trace.payments.length > 0
      ? markVoid(options, row, 'payment_already_used')
      : { kind: 'unexplained', row }
  }
  const final = head.number > finalityDepth ? await chain.block(head.number - finalityDepth) : null
  if (final === null) return { kind: trace.kind === 'unused' ? 'unused' : 'unexplained', row }
  const usedThen = await chain.authorizationUsed(key.payer, key.nonce, final.number)
  if (trace.kind === 'canceled') {
    return usedThen ? markVoid(options, row, 'payment_expired') : { kind: 'unexplained', row }
  }
  const over = final.timestamp > row.validBefore && !usedThen
  return over ? markVoid(options, row, 'payment_expired') : { kind: 'unused', row }
}

/**
 * When the row was claimed, in UTC seconds by the chain's clock and with some tolerance. Where ours runs well ahead
 * of the newest block it did so at the claim, and a payment made right after must not look older than that.
 */
function claimedOnChain({ claimedAt }: PaymentRow, head: Block, now: number): number {
  const ahead = Math.floor(now / 1000) - head.timestamp
  return Math.floor(claimedAt / 1000) - CLOCK_TOLERANCE_SECONDS - (ahead > OLD_HEAD_SECONDS ? ahead : 0)
}

/**
 * Settles the row from the first of its payments on the chain that has not settled another row. The block may still be
 * near the head: the audit holds the row against the chain once more, at the depth that counts as final.
 */
async function settleFrom(
  { ledger, now }: ResolveOptions,
  row: PaymentRow,
  payments: readonly PaymentOnChain[],
): Promise<Resolution> {
  for (const { transaction, logIndex } of payments) {
    const change = { state: 'settled', transaction, logIndex, settledAt: now() } as const
    const moved = await ledger.move(row, { ...change, owner: null, leaseUntil: 0 })
    if (moved !== null) return { kind: 'settled', row: moved }
  }
  const present = (await ledger.find(row)) ?? row
  return { kind: present.state === 'settled' ? 'settled' : 'unexplained', row: present }
}

async function markVoid(
  { ledger }: ResolveOptions,
  row: PaymentRow,
  refusal: 'payment_expired' | 'payment_already_used',
): Promise<Resolution> {
  const moved = await ledger.move(row, { state: 'void', refusal, owner: null, leaseUntil: 0 })
  if (moved !== null) return { kind: 'void', row: moved }
  const present = await ledger.find(row)
  if (present?.state === 'settled') return { kind: 'settled', row: present }
  return present?.state === 'void'
    ? { kind: 'void', row: present }
    : { kind: 'unexplained', row: present ?? row }
}
