import type { NewPayment } from '../payments/new-payment.ts'
import type { PaymentChange, PaymentKey, PaymentRow } from '../payments/payment-row.ts'
import { findPayment, insertPayment, movePayment } from '../payments/payments.ts'
import { Raced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import type { TaskAttachment } from './task-row.ts'
import { attachTask, detachTasks } from './tasks.ts'

/** Unless `claimed`, nothing was written. */
export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly row: PaymentRow }
  | { readonly kind: 'known'; readonly row: PaymentRow }
  /** The row would settle, but another one holds its payment identifier. */
  | { readonly kind: 'held' }
  /** The task is expired, ended or unknown. */
  | { readonly kind: 'task_gone' }
  | { readonly kind: 'task_taken'; readonly payment: PaymentKey }

/** Needs a transaction. Reads first, for a store where a rollback costs more than a read. */
export async function claim(db: Sql, payment: NewPayment, task: TaskAttachment): Promise<ClaimOutcome> {
  const known = await findPayment(db, payment)
  return known === null ? claimUnseen(db, payment, task) : { kind: 'known', row: known }
}

/**
 * Without reading first. With a task it needs a transaction, and throws {@link Raced} if the payment was not inserted.
 * The task comes first, so that nothing must be undone if it is gone.
 */
export async function claimUnseen(
  db: Sql,
  payment: NewPayment,
  task?: TaskAttachment,
): Promise<ClaimOutcome> {
  if (task !== undefined) {
    const attached = await attachTask(db, task, payment)
    if (attached.kind !== 'attached') {
      // A repeat gets its own row, whatever has become of the task.
      const known = await findPayment(db, payment)
      return known === null ? attached : { kind: 'known', row: known }
    }
  }
  const row = await insertPayment(db, payment)
  if (row !== null) return { kind: 'claimed', row }
  if (task !== undefined) throw new Raced()
  return whyNot(db, payment)
}

/** Why a payment was not claimed, as far as its own row and its identifier tell. */
export async function whyNot(db: Sql, key: PaymentKey): Promise<ClaimOutcome> {
  const row = await findPayment(db, key)
  return row === null ? { kind: 'held' } : { kind: 'known', row }
}

/** Throws {@link Raced} if the row has changed. */
export async function reclaim(
  db: Sql,
  seen: PaymentRow,
  change: PaymentChange,
  task?: TaskAttachment,
): Promise<ClaimOutcome> {
  if (task !== undefined) {
    const attached = await attachTask(db, task, seen)
    if (attached.kind !== 'attached') return attached
  }
  const row = await movePayment(db, seen, change)
  if (row === null) throw new Raced()
  if (seen.state === 'claimed') await detachTasks(db, row, row.taskKey)
  return { kind: 'claimed', row }
}
