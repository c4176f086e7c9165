import type { Kysely, Selectable } from 'kysely'
import { depositHold } from '../deposit-hold.ts'
import type { PaymentKey } from '../payment-row.ts'
import { toTaskRow } from '../rows.ts'
import type { Schema, TaskTable } from '../schema.ts'
import type { NewTask, TaskAttachment, TaskRow } from '../task-row.ts'
import { preparedSql } from './prepared-sql.ts'
import { isLetGo } from './task-holds.ts'

/**
 * Writes an unpaid task unless `cap` unpaid ones are alive at its creation. One statement without a lock: concurrent
 * writers may pass the cap by their number. A further condition is one that always holds.
 */
export function taskInsert(further = 'true') {
  const insert = preparedSql<{ key: string }>(
    `insert into tasks (key, sealed, created_at, expires_at)
    select :key, :sealed, :createdAt, :expiresAt where (select count(*) from tasks
      where nonce is null and ended is null and expires_at > :createdAt) < :cap and ${further}
    returning key`,
  )
  return async (db: Kysely<Schema>, task: NewTask, cap: number): Promise<'saved' | 'full'> => {
    const rows = await insert(db, { ...task, cap })
    return rows.length === 0 ? 'full' : 'saved'
  }
}

const FIND_TASK = preparedSql<Selectable<TaskTable>>('select * from tasks where key = :key')

export async function findTask(db: Kysely<Schema>, key: string): Promise<TaskRow | null> {
  const [row] = await FIND_TASK(db, { key })
  return row === undefined ? null : toTaskRow(row)
}

/**
 * Ends a task for which nothing was sent; run inside a transaction. A claim that no process works on loses the task
 * first, so that its next request finds the task ended; a deposit that did not go through releases it.
 */
export async function endTask(
  db: Kysely<Schema>,
  key: string,
  why: string,
  sealed: Buffer,
  now: number,
): Promise<boolean> {
  const task = await findTask(db, key)
  if (task === null || task.ended !== null) return false
  if (task.payment !== null && !(await isLetGo(db, task, 'end'))) {
    const freed = await db
      .updateTable('payments')
      .set({ task_key: null })
      .where('state', '=', 'claimed')
      .where('lease_until', '<=', now)
      .where(({ and }) => and(columnsOf(task.payment as PaymentKey)))
      .returning('nonce')
      .executeTakeFirst()
    if (freed === undefined) return false
  }
  const row = await db
    .updateTable('tasks')
    .set({ ended: why, sealed, ...NO_PAYMENT })
    .where('key', '=', key)
    .where('ended', 'is', null)
    .where((conditions) =>
      task.payment === null ? conditions('nonce', 'is', null) : conditions.and(columnsOf(task.payment)),
    )
    .returning('key')
    .executeTakeFirst()
  if (row === undefined && task.payment !== null) throw new Error('the task was taken at the same moment')
  return row !== undefined
}

const NO_PAYMENT = { network: null, asset: null, payer: null, nonce: null }

/** Detaches every task of a payment but one. */
export async function detachTasks(
  db: Kysely<Schema>,
  payment: PaymentKey,
  except: string | null,
): Promise<void> {
  const query = db
    .updateTable('tasks')
    .set(NO_PAYMENT)
    .where(({ and }) => and(columnsOf(payment)))
  await (except === null ? query : query.where('key', '!=', except)).execute()
}

const ATTACH_NEW = preparedSql(
  `insert into tasks (key, sealed, created_at, expires_at, network, asset, payer, nonce)
  values (:key, :sealed, :createdAt, :expiresAt, :network, :asset, :payer, :nonce)
  on conflict (key) do update set sealed = excluded.sealed, expires_at = excluded.expires_at, ended = null,
    network = excluded.network, asset = excluded.asset, payer = excluded.payer, nonce = excluded.nonce`,
)
const attachTo = (more: string) =>
  preparedSql<{ key: string }>(
    `update tasks set network = :network, asset = :asset, payer = :payer, nonce = :nonce, expires_at = :expiresAt${more}
    where key = :key and ended is null and expires_at > :now
    and ((nonce is null or (network = :network and asset = :asset and payer = :payer and nonce = :nonce))
      or nonce = :hold)
    returning key`,
  )
const ATTACH = attachTo('')
const ATTACH_SEALED = attachTo(', sealed = :sealed')

/** Attaches a task to the authorization that was just claimed for it; says why if it cannot. */
export async function attachTask(
  db: Kysely<Schema>,
  attachment: TaskAttachment,
  payment: PaymentKey,
): Promise<{ kind: 'attached' } | { kind: 'task_gone' } | { kind: 'task_taken'; payment: PaymentKey }> {
  const columns = columnsOf(payment)
  if (attachment.kind === 'new') {
    await ATTACH_NEW(db, { ...attachment.task, ...columns })
    return { kind: 'attached' }
  }
  const { sealed = null, ...existing } = attachment
  const attach = sealed === null ? ATTACH : ATTACH_SEALED
  const hold = depositHold(payment).nonce
  if ((await attach(db, { ...existing, sealed, ...columns, hold })).length > 0) return { kind: 'attached' }
  if (await takeFromIdlePayment(db, attachment, payment)) return { kind: 'attached' }
  const task = await findTask(db, attachment.key)
  if (task === null || task.payment === null) return { kind: 'task_gone' }
  if (await takeFromDeposit(db, attachment, task, payment)) return { kind: 'attached' }
  return { kind: 'task_taken', payment: task.payment }
}

/** Takes a task from a deposit that is not being sent. */
async function takeFromDeposit(
  db: Kysely<Schema>,
  attachment: Extract<TaskAttachment, { kind: 'existing' }>,
  task: TaskRow,
  payment: PaymentKey,
): Promise<boolean> {
  if (task.expiresAt <= attachment.now || !(await isLetGo(db, task, 'attach'))) return false
  await db.updateTable('tasks').set(attached(attachment, payment)).where('key', '=', task.key).execute()
  return true
}

/**
 * Takes a task from an authorization that is void, or that was never sent and no process works on. A slow process loses
 * the authorization in the same transaction, so that it cannot send it any more.
 */
async function takeFromIdlePayment(
  db: Kysely<Schema>,
  attachment: Extract<TaskAttachment, { kind: 'existing' }>,
  payment: PaymentKey,
): Promise<boolean> {
  const { key, now } = attachment
  const idle = await db
    .selectFrom('tasks')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.network', '=', 'tasks.network')
        .onRef('payments.asset', '=', 'tasks.asset')
        .onRef('payments.payer', '=', 'tasks.payer')
        .onRef('payments.nonce', '=', 'tasks.nonce'),
    )
    .select(['payments.network', 'payments.asset', 'payments.payer', 'payments.nonce'])
    .where('tasks.key', '=', key)
    .where('tasks.ended', 'is', null)
    .where('payments.state', 'in', ['claimed', 'void'])
    .where('payments.lease_until', '<=', now)
    .executeTakeFirst()
  if (idle === undefined) return false
  const taken = await db
    .updateTable('tasks')
    .set(attached(attachment, payment))
    .where('key', '=', key)
    .where(({ and }) => and(idle))
    .returning('key')
    .executeTakeFirst()
  const freed = await db
    .updateTable('payments')
    .set({ owner: null, lease_until: 0, task_key: null })
    .where(({ and }) => and(idle))
    .where('state', 'in', ['claimed', 'void'])
    .where('lease_until', '<=', now)
    .returning('nonce')
    .executeTakeFirst()
  if (taken !== undefined && freed !== undefined) return true
  throw new Error('the task or its payment was taken at the same moment')
}

const columnsOf = ({ network, asset, payer, nonce }: PaymentKey) => ({ network, asset, payer, nonce })

const attached = (
  { expiresAt, sealed }: Extract<TaskAttachment, { kind: 'existing' }>,
  payment: PaymentKey,
) => ({ ...columnsOf(payment), expires_at: expiresAt, ...(sealed === undefined ? {} : { sealed }) })
