import type { Hex } from 'viem'
import type { Ledger } from '../../ledger/ledger.ts'
import { endOf, NO_LEASE, type PaymentRow } from '../../ledger/payments/payment-row.ts'
import {
  type AuthorizationTrace,
  type Block,
  type ChainReader,
  ifAnswered,
  type LogPlace,
} from '../chain/chain-reader.ts'
import { recordTime } from '../chain/clocks.ts'
import { finalBlock } from '../chain/final-block.ts'
import { mayBeLostSale } from './lost-sale.ts'
import { searchStart, traceQuery } from './search-start.ts'

export type Resolution =
  /** Paid, now or before. */
  | { readonly kind: 'settled'; readonly row: PaymentRow }
  /** Not paid, and never can be. */
  | { readonly kind: 'void'; readonly row: PaymentRow }
  /** Not used so far; it may still be. */
  | { readonly kind: 'unused'; readonly row: PaymentRow }
  /** Used or canceled, and what that means for the row is not certain. */
  | { readonly kind: 'unexplained'; readonly row: PaymentRow }

export interface ResolveOptions {
  readonly ledger: Pick<Ledger, 'find' | 'move' | 'moveUnflushed'>
  readonly chain: ChainReader
  /** UTC milliseconds. */
  readonly now: () => number
}

/**
 * Moves a row that had reached `settling` if the chain leaves no doubt. Blocks decide, not clocks: a payment belongs to
 * the row if its block is newer than the head at the claim, and `void` needs a final block past `validBefore` in which
 * the authorization is unused. Rejects with `ChainUnavailable` or `StoreUnavailable`.
 */
export async function resolvePayment(options: ResolveOptions, row: PaymentRow): Promise<Resolution> {
  const { chain } = options
  const head = await chain.head()
  const trace = await chain.trace(traceQuery(row, head, options.now()))
  if (trace.kind === 'used') return resolveUsed(options, row, head, trace)
  return resolveUnpaid(options, row, head, trace.kind)
}

async function resolveUsed(
  options: ResolveOptions,
  row: PaymentRow,
  head: Block,
  { payments, elsewhere }: Extract<AuthorizationTrace, { kind: 'used' }>,
): Promise<Resolution> {
  const { chain } = options
  const { claimedBlock } = row
  const ours = payments.filter(({ blockNumber }) => claimedBlock === null || blockNumber > claimedBlock)
  if (ours.length > 0) return settleFrom(options, row, head, ours)
  // Paid before the claim: a sale of another ledger, or one of this ledger whose row a restore or a failover lost.
  if (payments.length > 0)
    return mayBeLostSale(endOf(row), head)
      ? { kind: 'unexplained', row }
      : makeVoid(options, row, 'payment_already_used')
  const final = finalBlock(head, chain)
  if (final !== null && elsewhere.some(({ blockNumber }) => blockNumber <= final))
    return makeVoid(options, row, 'payment_spent_elsewhere')
  if (elsewhere.length > 0 || claimedBlock === null) return { kind: 'unexplained', row }
  const usedAt = (block: bigint) => chain.authorizationUsed(row.payer as Hex, row.nonce as Hex, block)
  if (!(await usedAt(claimedBlock))) return { kind: 'unexplained', row }
  // A use without a log: the node indexes late, or keeps no state that old.
  if (mayBeLostSale(endOf(row), head) && !(await ifAnswered(() => usedAt(searchStart(row, head)))))
    return { kind: 'unexplained', row }
  return makeVoid(options, row, 'payment_already_used')
}

async function resolveUnpaid(
  options: ResolveOptions,
  row: PaymentRow,
  head: Block,
  kind: 'unused' | 'canceled',
): Promise<Resolution> {
  const { chain } = options
  const open: Resolution = { kind: kind === 'unused' ? 'unused' : 'unexplained', row }
  const finalNumber = finalBlock(head, chain)
  if (finalNumber === null) return open
  const final = await chain.block(finalNumber)
  const usedThen = await chain.authorizationUsed(row.payer as Hex, row.nonce as Hex, final.number)
  const isOver = kind === 'canceled' ? usedThen : !usedThen && final.timestamp > endOf(row)
  return isOver ? makeVoid(options, row, 'payment_expired') : open
}

/** Settles the row from the first of its payments that has not settled another row. */
async function settleFrom(
  { ledger, now }: ResolveOptions,
  row: PaymentRow,
  head: Block,
  payments: readonly LogPlace[],
): Promise<Resolution> {
  const settledAt = recordTime({ now, chainTime: () => head.timestamp * 1000 })
  for (const { transaction, logIndex } of payments) {
    const change = { state: 'settled', transaction, logIndex, settledAt } as const
    const moved = await ledger.move(row, { ...change, ...NO_LEASE })
    if (moved !== null) return { kind: 'settled', row: moved }
  }
  const present = (await ledger.find(row)) ?? row
  return { kind: present.state === 'settled' ? 'settled' : 'unexplained', row: present }
}

async function makeVoid(
  { ledger }: ResolveOptions,
  row: PaymentRow,
  refusal: 'payment_expired' | 'payment_already_used' | 'payment_spent_elsewhere',
): Promise<Resolution> {
  if (row.state === 'void' && row.refusal === refusal) return { kind: 'void', row }
  const moved = await ledger.move(row, { state: 'void', refusal, ...NO_LEASE })
  if (moved !== null) return { kind: 'void', row: moved }
  const present = await ledger.find(row)
  if (present?.state === 'settled') return { kind: 'settled', row: present }
  return present?.state === 'void'
    ? { kind: 'void', row: present }
    : { kind: 'unexplained', row: present ?? row }
}
