import { depositHold } from '../../../ledger/deposit-hold.ts'
import type { Declined } from '../../ports/sale.ts'
import { taskExpiry } from '../../sale/purchase/replay-window.ts'
import { declined } from '../../sale/table/outcomes.ts'
import { type ChannelAttempt, type ChannelContext, chargeKey } from '../channel-context.ts'

/**
 * Attaches the task that a call names before a deposit is sent for it: until it is known what became of the deposit, the
 * task is neither canceled nor paid for otherwise, since the deposit would then buy nothing. Null if nothing is in the
 * way, else the answer.
 *
 * The deposit is written down as being sent before this, so that the deposit is found wherever the task is found attached.
 */
export async function holdTask(
  { ledger, now }: Pick<ChannelContext, 'ledger' | 'now'>,
  { call, payment }: ChannelAttempt,
): Promise<Declined | null> {
  if (!call.namesTask) return null
  const hold = depositHold(chargeKey(payment))
  const attachment = call.attachment(hold, taskExpiry(now()), now())
  if (attachment === undefined) return null
  const held = await ledger.holdTask({ payment: hold, attachment })
  if (held === 'attached') return null
  return declined(held === 'task_gone' ? 'task_not_found' : 'payment_already_used')
}
