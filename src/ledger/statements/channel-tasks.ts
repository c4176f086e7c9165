import type { ChannelCharge, ChargedTask, TaskCharge } from '../channel-store.ts'
import type { Sql } from '../sql.ts'
import { moveChannel, openChannel } from './channels.ts'
import { attachTask } from './tasks.ts'

/** Charges a call and writes its task; needs a transaction, and throws {@link ChargeRaced} if the channel changed. */
export async function chargeWithTask(
  db: Sql,
  charge: ChannelCharge,
  { payment, attachment }: ChargedTask,
): Promise<TaskCharge> {
  const attached = await attachTask(db, attachment, payment)
  if (attached.kind !== 'attached') return { kind: attached.kind }
  const row =
    charge.kind === 'open'
      ? await openChannel(db, charge.channel)
      : await moveChannel(db, charge.seen, charge.change)
  if (row === null) throw new ChargeRaced()
  return { kind: 'charged', row }
}

/** Writes the task of a call that was charged before; needs a transaction. */
export async function showCharge(db: Sql, { payment, attachment }: ChargedTask): Promise<boolean> {
  return (await attachTask(db, attachment, payment)).kind === 'attached'
}

/** Runs a charge with a task; a lost race rolls its transaction back. */
export async function orRaced(run: () => Promise<TaskCharge>): Promise<TaskCharge> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ChargeRaced)) throw error
    return { kind: 'raced' }
  }
}

/** Another writer was faster; the transaction is rolled back, with the task. */
class ChargeRaced extends Error {
  override readonly name = 'ChargeRaced'
}
