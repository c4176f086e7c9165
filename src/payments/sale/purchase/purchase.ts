import { createHash } from 'node:crypto'
import type { Verdict } from '../../../checks/verdict.ts'
import type { PaymentRow } from '../../../ledger/payment-row.ts'
import type { Items, Purchase, ValueCall, Verdicts } from '../../ports/sale.ts'

export const purchaseOf = ({
  shape,
  items,
  type,
}: Pick<ValueCall, 'shape' | 'items' | 'type'>): Purchase => ({
  shape,
  items: items.length,
  type,
})

/** Compares the form of a call; its values are compared by the binding. */
export const isSamePurchase = (
  purchase: Purchase,
  row: Pick<PaymentRow, 'shape' | 'items' | 'checkType'>,
): boolean => purchase.shape === row.shape && purchase.items === row.items && purchase.type === row.checkType

export const verdictsOf = (items: Items): Verdicts =>
  items.map(({ skill, value }): Verdict => skill.check(value)) as [Verdict, ...Verdict[]]

/** For several types, a digest of all their rulesets. */
export function rulesetOf(items: Items): string {
  const rulesets = [...new Set(items.map(({ skill }) => skill.ruleset))].toSorted()
  const [only] = rulesets
  if (rulesets.length === 1 && only !== undefined) return only
  return `mixed:${createHash('sha256').update(rulesets.join('\n')).digest('hex').slice(0, 16)}`
}
