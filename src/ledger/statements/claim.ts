import type { Kysely } from 'kysely'
import type { ClaimOutcome, NewPayment, PaymentChange, PaymentRow, TaskAttachment } from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { findPayment, insertPayment, movePayment } from './payments.ts'
import { attachTask } from './tasks.ts'

/**
 * Inserts the payment and ties its task to it; run inside a transaction. The task is tied first, so that nothing
 * has to be undone when it cannot be had.
 */
export async function claim(
  db: Kysely<Schema>,
  payment: NewPayment,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  const known = await findPayment(db, payment)
  if (known !== null) return { kind: 'known', row: known }
  if (task !== undefined) {
    const attached = await attachTask(db, task, payment)
    if (attached.kind !== 'attached') return attached
  }
  const row = await insertPayment(db, payment)
  if (row !== null) return { kind: 'claimed', row }
  throw new ClaimRaced()
}

/** Takes a row over and ties its task to it; run inside a transaction. */
export async function reclaim(
  db: Kysely<Schema>,
  seen: PaymentRow,
  change: PaymentChange,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  if (task !== undefined) {
    const attached = await attachTask(db, task, seen)
    if (attached.kind !== 'attached') return attached
  }
  const row = await movePayment(db, seen, change)
  if (row !== null) return { kind: 'claimed', row }
  throw new ClaimRaced()
}

/** Somebody else wrote the row between the look-up and the write: the transaction is undone, task and all. */
export class ClaimRaced extends Error {
  override readonly name = 'ClaimRaced'
}
