import type { Kysely } from 'kysely'
import type { ClaimOutcome, NewPayment, TaskAttachment } from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { findPayment, insertPayment } from './payments.ts'
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

/** Another replica inserted the key between the look-up and the insert; the transaction is undone and run again. */
export class ClaimRaced extends Error {
  override readonly name = 'ClaimRaced'
}
