import type { ClaimOutcome } from '../ledger.ts'
import type { NewPayment, PaymentChange, PaymentKey, PaymentRow } from '../payments/payment-row.ts'
import { findPayment, insertPayment, movePayment } from '../payments/payments.ts'
import type { Run } from '../statements/store-methods.ts'
import { orRaced, Raced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import type { TaskAttachment } from './task-row.ts'
import { attachTask, detachTasks } from './tasks.ts'

/** Needs a transaction. Reads first, for a store where a rollback costs more than a read. */
export async function claim(
  db: Sql,
  payment: NewPayment,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  const known = task === undefined ? null : await findPayment(db, payment)
  return known === null ? claimUnseen(db, payment, task) : { kind: 'known', row: known }
}

/**
 * The same without reading first. With a task it needs a transaction, and throws {@link Raced} if the payment was not
 * inserted. The task comes first, so that nothing must be undone if it is not available.
 */
export async function claimUnseen(
  db: Sql,
  payment: NewPayment,
  task: TaskAttachment | undefined,
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

async function whyNot(db: Sql, key: PaymentKey): Promise<ClaimOutcome> {
  const row = await findPayment(db, key)
  return row === null ? { kind: 'held' } : { kind: 'known', row }
}

/** Needs a transaction, and throws {@link Raced} if the row has changed. */
export async function reclaim(
  db: Sql,
  seen: PaymentRow,
  change: PaymentChange,
  task: TaskAttachment | undefined,
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

export const knownIfRaced = (read: Run, key: PaymentKey, write: () => Promise<ClaimOutcome>) =>
  orRaced(write, () => read((db) => whyNot(db, key)))
