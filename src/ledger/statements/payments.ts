import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { CheckType } from '../../checks/verdict.ts'
import type { NewPayment, PaymentChange, PaymentKey, PaymentRow } from '../ledger.ts'
import { fromChange, fromNewPayment, toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'

type Payments<O> = SelectQueryBuilder<Schema, 'payments', O>

const withKey = (key: PaymentKey) => ({
  network: key.network,
  asset: key.asset,
  payer: key.payer,
  nonce: key.nonce,
})

/** The where-clause of one authorization. */
const byKey = <O>(query: Payments<O>, key: PaymentKey): Payments<O> =>
  query
    .where('network', '=', key.network)
    .where('asset', '=', key.asset)
    .where('payer', '=', key.payer)
    .where('nonce', '=', key.nonce)

export async function findPayment(db: Kysely<Schema>, key: PaymentKey): Promise<PaymentRow | null> {
  const row = await byKey(db.selectFrom('payments').selectAll(), key).executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

/** Null when the key is known already. */
export async function insertPayment(db: Kysely<Schema>, payment: NewPayment): Promise<PaymentRow | null> {
  const row = await db
    .insertInto('payments')
    .values(fromNewPayment(payment))
    .onConflict((conflict) => conflict.columns(['network', 'asset', 'payer', 'nonce']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

/** Compare-and-set on state, owner and lease; null when they have moved on, or the log is another row's. */
export async function movePayment(
  db: Kysely<Schema>,
  seen: PaymentRow,
  change: PaymentChange,
): Promise<PaymentRow | null> {
  let update = db
    .updateTable('payments')
    .set(fromChange(change))
    .where((where) => where.and(withKey(seen)))
    .where('state', '=', seen.state)
    .where('owner', seen.owner === null ? 'is' : '=', seen.owner)
    .where('lease_until', '=', seen.leaseUntil)
  const { transaction, logIndex } = change
  if (typeof transaction === 'string' && typeof logIndex === 'number') {
    update = update.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as other')
            .select('other.nonce')
            .where('other.network', '=', seen.network)
            .where('other.tx', '=', transaction)
            .where('other.log_index', '=', logIndex)
            .where((other) =>
              other.or([other('other.nonce', '!=', seen.nonce), other('other.payer', '!=', seen.payer)]),
            ),
        ),
      ),
    )
  }
  const row = await update.returningAll().executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

/** One statement with the same shape whether the repeat matched or not. */
export async function noteRepeat(
  db: Kysely<Schema>,
  key: PaymentKey,
  mismatch: boolean,
  at: number,
): Promise<void> {
  const step = mismatch ? 1 : 0
  await db
    .updateTable('payments')
    .set({
      mismatches: sql<number>`mismatches + ${step}`,
      mismatched_at: sql<number | null>`case when ${step} = 1 then ${at} else mismatched_at end`,
    })
    .where((where) => where.and(withKey(key)))
    .execute()
}

export async function noteDelivered(db: Kysely<Schema>, key: PaymentKey, at: number): Promise<void> {
  await db
    .updateTable('payments')
    .set({ delivered_at: at })
    .where((where) => where.and(withKey(key)))
    .where('delivered_at', 'is', null)
    .execute()
}

const rows = async (query: Payments<PaymentTableRow>): Promise<readonly PaymentRow[]> =>
  (await query.execute()).map(toPaymentRow)

type PaymentTableRow = import('kysely').Selectable<PaymentTable>

export function selectUnanswered(db: Kysely<Schema>, payer: string, checkType: CheckType, since: number) {
  return rows(
    db
      .selectFrom('payments')
      .selectAll()
      .where('payer', '=', payer)
      .where('claimed_at', '>=', since)
      .where('check_type', '=', checkType)
      .where('binding', 'is not', null)
      .where(({ or, eb, and }) =>
        or([
          eb('state', '=', 'in_doubt'),
          and([eb('state', '=', 'settled'), eb('delivered_at', 'is', null)]),
        ]),
      )
      .orderBy('claimed_at', 'desc')
      .limit(20),
  )
}

export async function findByIdentifier(db: Kysely<Schema>, identifier: Buffer): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('identifier', '=', identifier)
    .orderBy('claimed_at')
    .executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

export async function noteSent(db: Kysely<Schema>, key: PaymentKey, transaction: string): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ tx: transaction })
    .where((where) => where.and(withKey(key)))
    .where('state', 'in', ['settling', 'in_doubt'])
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

export function selectUnresolved(db: Kysely<Schema>, now: number, limit: number, after?: PaymentRow) {
  const query = db
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', ['in_doubt', 'refused', 'settling'])
    .where('lease_until', '<=', now)
  return rows(page(query, 'claimed_at', limit, after === undefined ? undefined : [after, after.claimedAt]))
}

export function selectUnaudited(
  db: Kysely<Schema>,
  settledBefore: number,
  limit: number,
  after?: PaymentRow,
) {
  const query = db
    .selectFrom('payments')
    .selectAll()
    .where('state', '=', 'settled')
    .where('audit', 'is', null)
    .where('settled_at', '<', settledBefore)
  return rows(
    page(query, 'settled_at', limit, after === undefined ? undefined : [after, after.settledAt ?? 0]),
  )
}

/** One page in order of a time, then of payer and nonce, beginning behind a row already read. */
function page<O>(
  query: Payments<O>,
  time: 'claimed_at' | 'settled_at',
  limit: number,
  after?: readonly [row: PaymentKey, at: number],
): Payments<O> {
  let from = query
  if (after !== undefined) {
    const [{ payer, nonce }, at] = after
    from = from.where(({ or, and, eb }) =>
      or([
        eb(time, '>', at),
        and([eb(time, '=', at), eb('payer', '>', payer)]),
        and([eb(time, '=', at), eb('payer', '=', payer), eb('nonce', '>', nonce)]),
      ]),
    )
  }
  return from.orderBy(time).orderBy('payer').orderBy('nonce').limit(limit)
}

/** Settled rows in order of settlement, then of key; `after` continues behind a row already read. */
export async function selectSettled(
  db: Kysely<Schema>,
  from: number,
  to: number,
  limit: number,
  after?: PaymentKey,
): Promise<readonly PaymentRow[]> {
  const query = db
    .selectFrom('payments')
    .selectAll()
    .where('state', '=', 'settled')
    .where('settled_at', '>=', from)
    .where('settled_at', '<', to)
  const last = after === undefined ? null : await findPayment(db, after)
  const cursor = last?.settledAt == null ? undefined : ([last, last.settledAt] as const)
  return rows(page(query, 'settled_at', limit, cursor))
}
