import type { SettleResponse } from '@x402/core/types'
import type { Verdict } from 'format-checker-checks/verdict'
import { checkedOf, type RowResult } from '../../../../src/lists/results.ts'
import type { TypedValue } from '../buyer/list-buyer.ts'
import { packItems } from '../statement/packed.ts'
import type { Journal } from './journal.ts'

/** Holds the result of a row once it is known. */
export interface Slot {
  result?: RowResult
}

/** A value to buy, with its key in the journal. */
export interface Entry extends Slot {
  readonly key: string
  readonly item: TypedValue
}

/** Values that one payment buys, in the order in which they are sent. */
export type Batch = readonly Entry[]

export const itemsOf = (batch: Batch): readonly TypedValue[] => batch.map(({ item }) => item)

/** Why a purchase ended before the end of its list. */
export type Stop =
  | { readonly kind: 'interrupted' }
  /** `refused`: atomic units signed for that only the service says were not charged. */
  | { readonly kind: 'max_spend'; readonly refused: bigint }
  /** `words` tell a person why. */
  | { readonly kind: 'not_bought'; readonly words: string }
  /** The input no longer has all values of an earlier payment, so that it cannot be sent again. */
  | { readonly kind: 'changed'; readonly state: string }

export function fill(
  batch: Batch,
  journal: Journal,
  payment: number,
  {
    result: verdicts,
    settlement,
  }: { readonly result: readonly Verdict[]; readonly settlement: SettleResponse },
): null {
  const results = verdicts.map(checkedOf)
  journal.settle(payment, results, () => ({
    ...{ settlement, request: packItems(itemsOf(batch)), results: packItems(verdicts) },
  }))
  for (const [at, result] of results.entries()) {
    const entry = batch[at]
    if (entry !== undefined) entry.result = result
  }
  return null
}

/** Records a payment whose answer is lost; its values are not bought again. */
export function lose(batch: Batch, journal: Journal, payment: number): null {
  journal.lose(payment)
  for (const entry of batch) entry.result = { kind: 'skipped', code: 'answer_lost' }
  return null
}

/** How many of `count` values, which cost `amount`, a list may still buy. Everything signed counts, also in earlier runs. */
export function mostValues(journal: Journal, count: number, amount: bigint, maxSpend: bigint | null): number {
  if (maxSpend === null || amount === 0n) return count
  const { spent, uncertain, refused } = journal.totals()
  const left = maxSpend - spent - uncertain - refused
  return left <= 0n ? 0 : Math.min(count, Number((left * BigInt(count)) / amount))
}
