import { heldFor } from '../deposit-hold.ts'
import type { Sql } from '../sql.ts'
import type { TaskRow } from '../task-row.ts'

// Changes nothing, but locks the row: until the transaction ends no other attaches the task, and a deposit is sent only
// for an attached task. So the deposits are read afterwards, by another statement.
const KEEP =
  'update tasks set nonce = nonce where key = :key and nonce = :nonce and ended is null returning key'

const OF_VOUCHER = 'from channel_deposits where channel = :channel and voucher = :voucher'

const SENDING = `select nonce ${OF_VOUCHER} and state = 'sending' limit 1`

// What has landed waits for its charge until a voucher that goes as far is charged, for whatever call.
const WAITING = `select nonce ${OF_VOUCHER} and (state = 'sending' or state = 'landed' and not exists (
    select 1 from channels where channels.id = channel_deposits.channel
    and cast(channels.charged as bigint) >= cast(channel_deposits.voucher as bigint))) limit 1`

/**
 * Whether a task that was attached for a deposit may be paid for otherwise, or ended; needs a transaction, in which the
 * task is then changed. To end it, nothing may be in the channel that was sent for it.
 */
export async function isLetGo(
  db: Sql,
  { key, payment }: TaskRow,
  purpose: 'attach' | 'end',
): Promise<boolean> {
  const held = payment === null ? null : heldFor(payment)
  if (payment === null || held === null) return false
  if ((await db.rows(KEEP, { key, nonce: payment.nonce })).length === 0) return false
  const find = purpose === 'attach' ? SENDING : WAITING
  const found = await db.rows(find, { channel: held.channel, voucher: held.voucher.toString() })
  return found.length === 0
}
