import type { ChannelCharge, ChargedTask, TaskCharge } from '../channel-store.ts'
import type { Sql } from '../sql.ts'
import { moveChannel, openChannel } from './channels.ts'
import { Raced } from './raced.ts'
import { attachTask } from './tasks.ts'

/** Needs a transaction, and throws {@link Raced} if the channel changed. */
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

/** Needs a transaction. */
export async function showCharge(db: Sql, { payment, attachment }: ChargedTask): Promise<boolean> {
  return (await attachTask(db, attachment, payment)).kind === 'attached'
}
