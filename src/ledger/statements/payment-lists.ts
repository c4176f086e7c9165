/** Statements that look payments up by anything but their key; what each promises is said by `Ledger`. */
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { PaymentKey, PaymentRow, PurchaseType } from '../payment-row.ts'
import { toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { findPayment } from './payments.ts'
import { preparedSql } from './prepared-sql.ts'
import { stateLiterals } from './state-literals.ts'
import { UNSETTLED } from './unsettled-rows.ts'

/** Without a limit one payer could make this look-up as slow as they like. */
const MOST_UNANSWERED = 500

// The limit is text because SQLite would treat a bound one like a bound state (state-literals.ts).
const unanswered = (order: string, limit: number) =>
  preparedSql<Selectable<PaymentTable>>(
    `select * from payments
  where payer = :payer and claimed_at >= :since and check_type = :type
  and binding is not null and awaits_answer = 1
  and (state in (${stateLiterals('settling', 'refused', 'in_doubt', 'settled')})
    or (state = 'claimed' and owner is not null))
  union all
  select * from payments
  where payer = :deliveredTo and delivered_at >= :deliveredSince and check_type = :deliveredType
  and binding is not null and awaits_answer = 0 and state = 'settled'
  ${order} limit ${limit}`,
  )
/** With an order SQLite compiles the statement at each use, at ten times the cost of running it. */
const SOME_UNANSWERED = unanswered('', MOST_UNANSWERED + 1)
const NEWEST_UNANSWERED = unanswered('order by claimed_at desc', MOST_UNANSWERED)

export async function selectUnanswered(
  db: Kysely<Schema>,
  payer: string,
  type: PurchaseType,
  since: number,
  deliveredSince: number,
): Promise<readonly PaymentRow[]> {
  const values = { payer, type, since, deliveredTo: payer, deliveredType: type, deliveredSince }
  const some = await SOME_UNANSWERED(db, values)
  const rows = some.length > MOST_UNANSWERED ? await NEWEST_UNANSWERED(db, values) : some
  return rows.map(toPaymentRow).toSorted((one, other) => other.claimedAt - one.claimedAt)
}

const HAS_SETTLED = preparedSql<object>(
  `select 1 from payments where network = :network and asset = :asset and payer = :payer
  and state = ${stateLiterals('settled')} limit 1`,
)

export const hasSettled = async (
  db: Kysely<Schema>,
  { network, asset, payer }: PaymentKey,
): Promise<boolean> => (await HAS_SETTLED(db, { network, asset, payer })).length > 0

export async function findByIdentifier(db: Kysely<Schema>, identifier: Buffer): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('identifier', '=', identifier)
    .orderBy(
      sql`case state when 'settled' then 0 when 'in_doubt' then 1 when 'unconfirmed' then 1 when 'settling' then 1 when 'claimed' then 2 else 3 end`,
    )
    .orderBy('claimed_at', 'desc')
    .executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
}

// Spelled as the conditions of partial indexes. The time is in a function: otherwise SQLite takes the index of all settled
// rows and reads it from the beginning.
const UNRESOLVED = sql<boolean>`${UNSETTLED} and state <> 'claimed'`
const UNAUDITED = sql<boolean>`state = 'settled' and audit is null`
const SETTLED_AT = sql<number>`coalesce(settled_at, 0)`

export function selectUnresolved(db: Kysely<Schema>, now: number, limit: number, after?: PaymentRow) {
  const query = db.selectFrom('payments').selectAll().where(UNRESOLVED).where('lease_until', '<=', now)
  return rows(page(query, 'claimed_at', limit, after && [after, after.claimedAt]))
}

export function selectUnaudited(
  db: Kysely<Schema>,
  settledBefore: number,
  limit: number,
  after?: PaymentRow,
) {
  const query = db.selectFrom('payments').selectAll().where(UNAUDITED).where(SETTLED_AT, '<', settledBefore)
  return rows(page(query, 'settled_at', limit, after && [after, after.settledAt ?? 0]))
}

const rows = async (
  query: SelectQueryBuilder<Schema, 'payments', Selectable<PaymentTable>>,
): Promise<readonly PaymentRow[]> => (await query.execute()).map(toPaymentRow)

/**
 * One page in order of a time, then payer and nonce, after a row already read. The three are compared as one value: with
 * `or`, each page would read an index from its beginning.
 */
function page<O>(
  query: SelectQueryBuilder<Schema, 'payments', O>,
  time: 'claimed_at' | 'settled_at',
  limit: number,
  after?: readonly [row: PaymentKey, at: number],
): SelectQueryBuilder<Schema, 'payments', O> {
  let from = query
  if (after !== undefined) {
    const [{ payer, nonce }, at] = after
    from = from.where(sql<boolean>`(${sql.ref(time)}, payer, nonce) > (${at}, ${payer}, ${nonce})`)
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
  const last = after === undefined ? null : await findPayment(db, after)
  const query = db
    .selectFrom('payments')
    .selectAll()
    .where(sql<boolean>`state = 'settled'`)
    .where('settled_at', '<', to)
  if (last?.settledAt == null) return rows(page(query.where('settled_at', '>=', from), 'settled_at', limit))
  return rows(page(query, 'settled_at', limit, [last, last.settledAt]))
}
