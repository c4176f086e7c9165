import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { CheckType } from '../../checks/verdict.ts'
import type { PaymentKey, PaymentRow } from '../ledger.ts'
import { toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { findPayment } from './payments.ts'
import { preparedSql } from './prepared-sql.ts'

/** A payer's own rows of a few minutes; without a limit one payer could make a look-up as long as he likes. */
const MOST_UNANSWERED = 500

// Only a settled row is ever delivered; said of all of them, it lets the index of just these rows be used. The limit
// is text because a bound one would be looked at like a bound state (state-literals.ts).
const UNANSWERED = preparedSql<Selectable<PaymentTable>>(
  `select * from payments
  where payer = :payer and claimed_at >= :since and check_type = :checkType
  and binding is not null and delivered_at is null
  and (state = 'in_doubt' or (state = 'settling' and lease_until <= :now) or state = 'settled')
  order by claimed_at desc limit ${MOST_UNANSWERED}`,
)

export async function selectUnanswered(
  db: Kysely<Schema>,
  payer: string,
  checkType: CheckType,
  since: number,
  now: number,
): Promise<readonly PaymentRow[]> {
  return (await UNANSWERED(db, { payer, checkType, since, now })).map(toPaymentRow)
}

export async function findByIdentifier(db: Kysely<Schema>, identifier: Buffer): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('identifier', '=', identifier)
    .orderBy(
      sql`case state when 'settled' then 0 when 'in_doubt' then 1 when 'settling' then 1 when 'claimed' then 2 else 3 end`,
    )
    .orderBy('claimed_at', 'desc')
    .executeTakeFirst()
  return row === undefined ? null : toPaymentRow(row)
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

/** Runs a query for payments. */
const rows = async (
  query: SelectQueryBuilder<Schema, 'payments', Selectable<PaymentTable>>,
): Promise<readonly PaymentRow[]> => (await query.execute()).map(toPaymentRow)

/** One page in order of a time, then of payer and nonce, beginning behind a row already read. */
function page<O>(
  query: SelectQueryBuilder<Schema, 'payments', O>,
  time: 'claimed_at' | 'settled_at',
  limit: number,
  after?: readonly [row: PaymentKey, at: number],
): SelectQueryBuilder<Schema, 'payments', O> {
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
