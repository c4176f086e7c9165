import { type Kysely, type Selectable, sql } from 'kysely'
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

type Stored = Selectable<PaymentTable>

/*
 * What every sale runs is written as text: a query builder works a statement out anew each time, at several times the
 * cost of running it.
 */

/** The condition for one authorization. */
const isKey = ({ network, asset, payer, nonce }: PaymentKey) =>
  sql<boolean>`network = ${network} and asset = ${asset} and payer = ${payer} and nonce = ${nonce}`

const firstOf = ({ rows: [row] }: { readonly rows: readonly Stored[] }): PaymentRow | null =>
  row === undefined ? null : toPaymentRow(row)

export async function findPayment(db: Kysely<Schema>, key: PaymentKey): Promise<PaymentRow | null> {
  return firstOf(await sql<Stored>`select * from payments where ${isKey(key)}`.execute(db))
}

/** Null when the key is known already. */
export async function insertPayment(db: Kysely<Schema>, payment: NewPayment): Promise<PaymentRow | null> {
  const stored = fromNewPayment(payment)
  const insert = sql<Stored>`insert into payments (${sql.raw(Object.keys(stored).join(', '))})
    values (${sql.join(Object.values(stored))})
    on conflict (network, asset, payer, nonce) do nothing returning *`
  return firstOf(await insert.execute(db))
}

/** Compare-and-set on state, owner and lease; null when they have moved on, or the log is another row's. */
export async function movePayment(
  db: Kysely<Schema>,
  seen: PaymentRow,
  change: PaymentChange,
): Promise<PaymentRow | null> {
  const sets = Object.entries(fromChange(change)).map(([name, value]) => sql`${sql.raw(name)} = ${value}`)
  const { transaction, logIndex } = change
  const log = typeof transaction === 'string' && typeof logIndex === 'number'
  const settles = change.state === 'settling' && seen.identifier !== null
  const update = sql<Stored>`update payments set ${sql.join(sets)}
    where ${isKey(seen)} and state = ${stateLiteral(seen.state)} and lease_until = ${seen.leaseUntil}
    and ${seen.owner === null ? sql`owner is null` : sql`owner = ${seen.owner}`}
    ${log ? sql`and ${noOther(seen, { network: seen.network, tx: transaction, log_index: logIndex })}` : sql``}
    ${settles ? sql`and ${noOther(seen, { identifier: seen.identifier }, HOLDING)}` : sql``}
    returning *`
  return firstOf(await update.execute(db))
}

/** States in which a row holds its payment identifier against others. */
const HOLDING: readonly PaymentState[] = ['settling', 'in_doubt', 'settled']

/** True when no row but `seen` has these columns (and one of these states). */
function noOther(
  { payer, nonce }: PaymentKey,
  columns: Partial<Stored>,
  states: readonly PaymentState[] = PAYMENT_STATES,
) {
  const same = Object.entries(columns).map(([name, value]) => sql`other.${sql.raw(name)} = ${value}`)
  return sql<boolean>`not exists (select 1 from payments as other where ${sql.join(same, sql` and `)}
    and other.state in (${sql.join(states.map(stateLiteral))})
    and (other.nonce != ${nonce} or other.payer != ${payer}))`
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
    .where(isKey(key))
    .execute()
}

export async function noteDelivered(db: Kysely<Schema>, key: PaymentKey, at: number): Promise<void> {
  await sql`update payments set delivered_at = ${at} where ${isKey(key)} and delivered_at is null`.execute(db)
}

export async function noteSent(db: Kysely<Schema>, key: PaymentKey, transaction: string): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ tx: transaction })
    .where(isKey(key))
    .where('state', 'in', [stateLiteral('settling'), stateLiteral('in_doubt')])
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}
