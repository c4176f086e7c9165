import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { claimedTaskExpiry } from '../purchase/replay-window.ts'
import { notClaimed } from './outcomes.ts'
import type { Next, SaleRun } from './sale-context.ts'

/**
 * Attaches the task of a request to the row that answers it, so that both say the same. Null if that is done, or
 * there is no task; otherwise what to do instead.
 */
export async function attachTask({ context, attempt }: SaleRun, row: PaymentRow): Promise<Next | null> {
  const { task } = attempt.call
  if (task === undefined) return null
  const { key } = task.of(row)
  if (key === row.taskKey) return null
  const attachment = task.attachment({ key: row, expiresAt: claimedTaskExpiry(row), now: context.now() })
  const outcome = await context.ledger.reclaim(row, { taskKey: row.taskKey ?? key }, attachment)
  return outcome.kind === 'claimed' ? null : notClaimed(outcome)
}
