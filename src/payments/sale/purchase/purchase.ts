import { hash } from 'node:crypto'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { Items, Purchase } from '../../ports/sale.ts'

/** Compares the form of a call; its values are compared by the binding. */
export const isSamePurchase = (
  purchase: Purchase,
  row: Pick<PaymentRow, 'shape' | 'items' | 'checkType'>,
): boolean => purchase.shape === row.shape && purchase.items === row.items && purchase.type === row.checkType

/** For several types, a digest of all their rulesets. */
export function rulesetOf(items: Items): string {
  const rulesets = [...new Set(items.map(({ skill }) => skill.ruleset))].toSorted()
  if (rulesets.length === 1) return items[0].skill.ruleset
  return `mixed:${hash('sha256', rulesets.join('\n')).slice(0, 16)}`
}
