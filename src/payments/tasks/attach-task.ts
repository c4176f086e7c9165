import type { PaymentRow } from '../../ledger/ledger.ts'
import { type Attempt, claimedTaskExpiry, type SaleContext } from '../sale/sale-context.ts'
import { type Step, stepOfClaim } from '../sale/step.ts'

/**
 * Ties the task of a request to a row it did not claim but is answered from, so that the task shows what the answer
 * says. Null when it is tied, or when there is no task; else what to do instead.
 */
export async function attachTask(
  { ledger, now }: SaleContext,
  { subject }: Pick<Attempt, 'subject'>,
  row: PaymentRow,
): Promise<Step | null> {
  const task = subject.taskFor(row)
  if (task === undefined || task.key === row.taskKey) return null
  const attachment = subject.attachment(row, claimedTaskExpiry(row), now())
  const outcome = await ledger.reclaim(row, { taskKey: row.taskKey ?? task.key }, attachment)
  return outcome.kind === 'claimed' ? null : stepOfClaim(outcome)
}
