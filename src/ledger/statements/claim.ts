import type { Kysely } from 'kysely'
import type {
  ClaimOutcome,
  NewPayment,
  PaymentChange,
  PaymentKey,
  PaymentRow,
  TaskAttachment,
} from '../ledger.ts'
import type { Schema } from '../schema.ts'
import { findPayment, insertPayment, movePayment } from './payments.ts'
import { attachTask } from './tasks.ts'

/**
 * Inserts the payment and ties its task to it, for a store where undoing costs more than looking first; run inside a
 * transaction. The task is tied first, so that nothing has to be undone when it cannot be had.
 */
export async function claim(
  db: Kysely<Schema>,
  payment: NewPayment,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  const known = await findPayment(db, payment)
  return known === null ? claimUnseen(db, payment, task) : { kind: 'known', row: known }
}

/**
 * Inserts the payment and ties its task to it without looking first. Needs a transaction where there is a task; a
 * single statement does where there is none. Throws {@link ClaimRaced} when the key is known.
 */
export async function claimUnseen(
  db: Kysely<Schema>,
  payment: NewPayment,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  if (task !== undefined) {
    const attached = await attachTask(db, task, payment)
    if (attached.kind !== 'attached') {
      // A repeat hears of its own row, whatever has become of the task.
      const known = await findPayment(db, payment)
      return known === null ? attached : { kind: 'known', row: known }
    }
  }
  const row = await insertPayment(db, payment)
  if (row !== null) return { kind: 'claimed', row }
  throw new ClaimRaced()
}

/** Takes a row over and ties its task to it; run inside a transaction where there is a task. */
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

/** Runs a claim; one that was raced finds out, outside what was undone, who has the row. */
export async function knownIfRaced(
  db: Kysely<Schema>,
  key: PaymentKey,
  run: () => Promise<ClaimOutcome>,
): Promise<ClaimOutcome> {
  try {
    return await run()
  } catch (error) {
    const row = error instanceof ClaimRaced ? await findPayment(db, key) : null
    if (row === null) throw error
    return { kind: 'known', row }
  }
}

/** Somebody else wrote the row between the look-up and the write: the transaction is undone, task and all. */
class ClaimRaced extends Error {
  override readonly name = 'ClaimRaced'
}
