import { Raced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import { attachTask } from '../tasks/tasks.ts'
import type { ChannelCharge, ChargedTask, TaskCharge } from './channel-row.ts'
import { moveChannel, openChannel } from './channels.ts'

/** Charges a call and attaches its task: both or neither. Needs a transaction, and throws {@link Raced} if the channel changed. */
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
  if (row === null) throw new Raced()
  return { kind: 'charged', row }
}

/** Attaches a task to a call that was charged before; false if it is gone or attached to another payment. Needs a transaction. */
export async function showCharge(db: Sql, { payment, attachment }: ChargedTask): Promise<boolean> {
  return (await attachTask(db, attachment, payment)).kind === 'attached'
}
