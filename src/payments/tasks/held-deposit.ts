import type { ChannelStore } from '../../ledger/channel-store.ts'
import { heldFor } from '../../ledger/deposit-hold.ts'
import type { TaskRow } from '../../ledger/task-row.ts'

/** `sending`: a process is at work. `doubtful`: it may be in its channel, and its call is not charged. */
export type HeldDeposit = 'sending' | 'doubtful' | null

/** What became of the deposit that a task is attached for; null without one, and if it can buy nothing any more. */
export async function heldDeposit(
  ledger: Pick<ChannelStore, 'depositsWith' | 'findChannel'>,
  { payment }: TaskRow,
  now: number,
): Promise<HeldDeposit> {
  const held = payment === null ? null : heldFor(payment)
  if (held === null) return null
  const { channel, voucher } = held
  const rows = await ledger.depositsWith(channel, voucher)
  const sending = rows.filter(({ state }) => state === 'sending')
  if (sending.some(({ leaseUntil }) => leaseUntil > now)) return 'sending'
  if (sending.length > 0) return 'doubtful'
  if (!rows.some(({ state }) => state === 'landed')) return null
  const charged = (await ledger.findChannel(channel))?.charged ?? 0n
  return charged < voucher ? 'doubtful' : null
}
