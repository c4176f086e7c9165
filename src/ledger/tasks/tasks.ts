import type { PaymentKey } from '../payments/payment-row.ts'
import { IS_KEY } from '../payments/payments.ts'
import type { Stored } from '../store/columns.ts'
import type { Sql, Values } from '../store/sql.ts'
import type { NewTask, TaskAttachment, TaskRow } from './task-row.ts'
import { toTaskRow } from './task-row.ts'

/**
 * No lock is taken, so n concurrent writers may exceed `cap` by n. A crash of the machine may lose the task: it is
 * unpaid, and the claim of its payment flushes all earlier writes.
 */
export async function insertTask(db: Sql, task: NewTask, cap: number): Promise<'saved' | 'full'> {
  const rows = await db.rows(
    `insert into tasks (key, sealed, created_at, expires_at)
    select :key, :sealed, :createdAt, :expiresAt where (select count(*) from tasks
      where nonce is null and ended is null and expires_at > :createdAt) < :cap and ${db.always ?? 'true'}
    returning key`,
    { ...task, cap },
  )
  return rows.length === 0 ? 'full' : 'saved'
}

export async function findTask(db: Sql, key: string): Promise<TaskRow | null> {
  const [row] = await db.rows<Stored>('select * from tasks where key = :key', { key })
  return row === undefined ? null : toTaskRow(row)
}

const FREE = `update payments set owner = null, lease_until = 0, task_key = null
  where state = 'claimed' and lease_until <= :now and ${IS_KEY} returning nonce`
const END = `update tasks set ended = :why, sealed = :sealed, network = null, asset = null, payer = null, nonce = null
  where key = :key and ended is null and`

/**
 * False if anything may have been sent for the task. `sealed` replaces the sealed verdict. Needs a transaction. A claim
 * that no process works on loses the task, so that the next request finds it ended; a process that was only slow loses
 * the claim with it.
 */
export async function endTask(
  db: Sql,
  key: string,
  why: string,
  sealed: Buffer,
  now: number,
): Promise<boolean> {
  const task = await findTask(db, key)
  if (task === null) return false
  const { payment } = task
  if (payment !== null && (await db.rows(FREE, { ...payment, now })).length === 0) return false
  const ended = await db.rows(`${END} ${payment === null ? 'nonce is null' : IS_KEY} returning key`, {
    ...payment,
    ...{ key, why, sealed },
  })
  if (ended.length === 0 && payment !== null) throw new Error('the task was taken at the same moment')
  return ended.length > 0
}

export async function detachTasks(db: Sql, payment: PaymentKey, except: string | null): Promise<void> {
  await db.rows(
    `update tasks set network = null, asset = null, payer = null, nonce = null
    where ${IS_KEY} and key <> :except`,
    { ...payment, except: except ?? '' },
  )
}

const ATTACH_NEW = `insert into tasks (key, sealed, created_at, expires_at, network, asset, payer, nonce)
  values (:key, :sealed, :createdAt, :expiresAt, :network, :asset, :payer, :nonce)
  on conflict (key) do update set sealed = excluded.sealed, expires_at = excluded.expires_at, ended = null,
    network = excluded.network, asset = excluded.asset, payer = excluded.payer, nonce = excluded.nonce`

const ATTACH = `update tasks set network = :network, asset = :asset, payer = :payer, nonce = :nonce,
  expires_at = :expiresAt, sealed = coalesce(:sealed, sealed) where key = :key`

const IS_FREE = `ended is null and expires_at > :now and (nonce is null or (${IS_KEY}))`

export async function attachTask(
  db: Sql,
  attachment: TaskAttachment,
  payment: PaymentKey,
): Promise<{ kind: 'attached' } | { kind: 'task_gone' } | { kind: 'task_taken'; payment: PaymentKey }> {
  if (attachment.kind === 'new') {
    await db.rows(ATTACH_NEW, { ...payment, ...attachment.task })
    return { kind: 'attached' }
  }
  const { key, now, sealed = null, expiresAt } = attachment
  const values = { ...payment, key, sealed, expiresAt, now }
  const attachIf = async (condition: string, more: Values = {}): Promise<boolean> =>
    (await db.rows(`${ATTACH} and ${condition} returning key`, { ...values, ...more })).length > 0
  if (await attachIf(IS_FREE)) return { kind: 'attached' }
  const [idle] = await db.rows<PaymentKey>(LET_GO, { key, now })
  if (idle !== undefined) {
    const isTaken = await attachIf('payer = :idlePayer and nonce = :idleNonce', {
      idlePayer: idle.payer,
      idleNonce: idle.nonce,
    })
    if (isTaken) return { kind: 'attached' }
    throw new Error('the task was taken at the same moment')
  }
  const task = await findTask(db, key)
  return task === null || task.payment === null
    ? { kind: 'task_gone' }
    : { kind: 'task_taken', payment: task.payment }
}

/**
 * For an authorization that is void, or was never sent and no process works on. A process that was only slow loses it
 * and can no longer send.
 */
const LET_GO = `update payments set owner = null, lease_until = 0, task_key = null
  where (network, asset, payer, nonce) in
    (select network, asset, payer, nonce from tasks where key = :key)
  and state in ('claimed', 'void') and lease_until <= :now returning payer, nonce`
