import type { SettleResponse } from '@x402/core/types'
import type { TypedValue } from '../../buyer/list-buyer.ts'
import type { Verdict } from '../../checks/verdict.ts'
import { checkedOf, type RowResult } from '../../lists/results.ts'
import type { Journal } from './journal.ts'
import { packResults } from './pack-results.ts'

/** Holds the result of a row once it is known. */
export interface Slot {
  result?: RowResult
}

/** Values that one payment buys, with their keys and slots in the same order. */
export interface Batch {
  readonly keys: string[]
  readonly items: TypedValue[]
  readonly slots: Slot[]
}

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
  { slots }: Batch,
  journal: Journal,
  payment: number,
  {
    result: verdicts,
    settlement,
  }: { readonly result: readonly Verdict[]; readonly settlement: SettleResponse },
): null {
  const results = verdicts.map(checkedOf)
  journal.settle(payment, results, () => ({ settlement, results: packResults(verdicts) }))
  for (const [at, result] of results.entries()) {
    const slot = slots[at]
    if (slot !== undefined) slot.result = result
  }
  return null
}

/** Keeps a payment as made, and its values as not answered: they are not bought again. */
export function lose({ slots }: Batch, journal: Journal, payment: number): null {
  journal.lose(payment)
  for (const slot of slots) slot.result = { kind: 'skipped', code: 'answer_lost' }
  return null
}

/** How many of so many values at one price a list may still buy. */
export function mostValues(journal: Journal, count: number, amount: bigint, maxSpend: bigint | null): number {
  if (maxSpend === null || amount === 0n) return count
  const { spent, uncertain, refused } = journal.totals()
  const left = maxSpend - spent - uncertain - refused
  return left <= 0n ? 0 : Math.min(count, Number((left * BigInt(count)) / amount))
}

export const firstOf = ({ keys, items, slots }: Batch, count: number): Batch => ({
  keys: keys.slice(0, count),
  items: items.slice(0, count),
  slots: slots.slice(0, count),
})

/** Why a list may not spend this much more, or null. Everything signed for counts, also in earlier runs. */
export function stopAtLimit(journal: Journal, amount: bigint, maxSpend: bigint | null): Stop | null {
  const { spent, uncertain, refused } = journal.totals()
  const isWithin = maxSpend === null || spent + uncertain + refused + amount <= maxSpend
  return isWithin ? null : { kind: 'max_spend', refused }
}
