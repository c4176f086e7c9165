import { type ExpressionBuilder, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import {
  type NewPayment,
  PAYMENT_STATES,
  type PaymentChange,
  type PaymentKey,
  type PaymentRow,
  type PaymentState,
} from '../ledger.ts'
import { fromChange, fromNewPayment, toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { stateLiteral } from './state-literal.ts'

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
    .where('state', '=', stateLiteral(seen.state))
    .where('owner', seen.owner === null ? 'is' : '=', seen.owner)
    .where('lease_until', '=', seen.leaseUntil)
  const { transaction, logIndex } = change
  if (typeof transaction === 'string' && typeof logIndex === 'number') {
    update = update.where((where) =>
      noOther(where, seen, { network: seen.network, tx: transaction, log_index: logIndex }),
    )
  }
  if (change.state === 'settling' && seen.identifier !== null) {
    const { identifier } = seen
    update = update.where((where) =>
      noOther(where, seen, { identifier }, ['settling', 'in_doubt', 'settled'] satisfies PaymentState[]),
    )
  }
  const row = await update.returningAll().executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

/** True when no row but `seen` has these columns (and one of these states). */
function noOther(
  where: ExpressionBuilder<Schema, 'payments'>,
  seen: PaymentKey,
  columns: Partial<Selectable<PaymentTable>>,
  states: readonly PaymentState[] = PAYMENT_STATES,
) {
  const other = where
    .selectFrom('payments as other')
    .select('other.nonce')
    .where(({ eb, and }) =>
      and(
        Object.entries(columns).map(([name, value]) => eb(`other.${name as keyof PaymentTable}`, '=', value)),
      ),
    )
    .where('other.state', 'in', states.map(stateLiteral))
    .where(({ or, eb }) => or([eb('other.nonce', '!=', seen.nonce), eb('other.payer', '!=', seen.payer)]))
  return where.not(where.exists(other))
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

export async function noteSent(db: Kysely<Schema>, key: PaymentKey, transaction: string): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ tx: transaction })
    .where((where) => where.and(withKey(key)))
    .where('state', 'in', [stateLiteral('settling'), stateLiteral('in_doubt')])
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}
