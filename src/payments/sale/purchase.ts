import { createHash } from 'node:crypto'
import type { PaymentRow } from '../../ledger/payment-row.ts'
import type { Items, Purchase, ValueCall } from '../sale.ts'

export const purchaseOf = ({
  shape,
  items,
  type,
}: Pick<ValueCall, 'shape' | 'items' | 'type'>): Purchase => ({
  shape,
  items: items.length,
  type,
})

/** Whether a row was claimed for a call of this form; its values are compared by the binding. */
export const isSamePurchase = (purchase: Purchase, row: PaymentRow): boolean =>
  purchase.shape === row.shape && purchase.items === row.items && purchase.type === row.checkType

/** The ruleset of a call; for several types a digest of all of theirs. */
export function rulesetOf(items: Items): string {
  const rulesets = [...new Set(items.map(({ skill }) => skill.ruleset))].toSorted()
  const [only] = rulesets
  if (rulesets.length === 1 && only !== undefined) return only
  return `mixed:${createHash('sha256').update(rulesets.join('\n')).digest('hex').slice(0, 16)}`
}
