import type { Stored } from '../store/columns.ts'
import type { Sql, Values } from '../store/sql.ts'
import type { PaymentKey, PaymentRow, PurchaseType } from './payment-row.ts'
import { toPaymentRow } from './payment-row.ts'
import { findPayment } from './payments.ts'
import { stateLiterals, UNSETTLED } from './state-literals.ts'

/** Bounds what one payer's rows can cost a request. */
const MOST_UNANSWERED = 500

// The limit is literal because SQLite recompiles for a bound one, as for a bound state (state-literals.ts).
const unanswered = (order: string, limit: number) => `select * from payments
  where payer = :payer and claimed_at >= :since and check_type = :type
  and binding is not null and awaits_answer = 1
  and (state in (${stateLiterals('settling', 'refused', 'in_doubt', 'settled')})
    or (state = 'claimed' and owner is not null))
  union all
  select * from payments
  where payer = :payer and delivered_at >= :deliveredSince and check_type = :type
  and binding is not null and awaits_answer = 0
  ${order} limit ${limit}`
/** Without an order, for which SQLite would compile the statement at each use, at ten times the cost of running it. */
const SOME_UNANSWERED = unanswered('', MOST_UNANSWERED + 1)
const NEWEST_UNANSWERED = unanswered('order by claimed_at desc', MOST_UNANSWERED)

/**
 * Rows of one payer and type that may answer a new authorization for the same call, newest first: claimed since `since`
 * and awaiting an answer, except void ones and claims without an owner, or delivered at or after `deliveredSince`.
 */
export async function selectUnanswered(
  db: Sql,
  payer: string,
  type: PurchaseType,
  since: number,
  deliveredSince: number,
): Promise<readonly PaymentRow[]> {
  const values = { payer, type, since, deliveredSince }
  const some = await db.rows<Stored>(SOME_UNANSWERED, values)
  const rows = some.length > MOST_UNANSWERED ? await db.rows<Stored>(NEWEST_UNANSWERED, values) : some
  return rows.map(toPaymentRow).toSorted((one, other) => other.claimedAt - one.claimedAt)
}

const HAS_SETTLED = `select 1 from payments where network = :network and asset = :asset and payer = :payer
  and state = ${stateLiterals('settled')} limit 1`

export const hasSettled = async (db: Sql, payer: PaymentKey): Promise<boolean> =>
  (await db.rows(HAS_SETTLED, { ...payer })).length > 0

const BY_IDENTIFIER = `select * from payments where identifier = :identifier
  order by case state when 'settled' then 0 when 'in_doubt' then 1 when 'settling' then 1
    when 'claimed' then 2 else 3 end, claimed_at desc limit 1`

/** The row that carries this payment identifier MAC; of several, the one closest to a sale. */
export async function findByIdentifier(db: Sql, identifier: Buffer): Promise<PaymentRow | null> {
  const [row] = await db.rows<Stored>(BY_IDENTIFIER, { identifier })
  return row === undefined ? null : toPaymentRow(row)
}

/** Time, payer and nonce are compared as one tuple: with `or`, each page would read an index from its beginning. */
async function page(
  db: Sql,
  condition: string,
  values: Values & { readonly limit: number },
  time: 'claimed_at' | 'settled_at',
  after?: readonly [row: PaymentKey, at: number | null],
): Promise<readonly PaymentRow[]> {
  const [row, at] = after ?? []
  const behind = row === undefined ? '' : `and (${time}, payer, nonce) > (:at, :payer, :nonce)`
  const rows = await db.rows<Stored>(
    `select * from payments where ${condition} ${behind} order by ${time}, payer, nonce limit :limit`,
    { ...values, at, payer: row?.payer, nonce: row?.nonce },
  )
  return rows.map(toPaymentRow)
}

// Spelled as the conditions of partial indexes. Without `coalesce`, SQLite would choose the index of all settled rows and
// read it from the beginning.
const UNRESOLVED = `${UNSETTLED} and state <> 'claimed' and lease_until <= :now`
const UNAUDITED = "state = 'settled' and audit is null and coalesce(settled_at, 0) < :settledBefore"

/**
 * Rows to look up on the chain: in doubt, refused, or settling with an expired lease; oldest first. `after` is a row
 * already read, which may have changed since.
 */
export const selectUnresolved = (db: Sql, now: number, limit: number, after?: PaymentRow) =>
  page(db, UNRESOLVED, { now, limit }, 'claimed_at', after && [after, after.claimedAt])

export const selectUnaudited = (db: Sql, settledBefore: number, limit: number, after?: PaymentRow) =>
  page(db, UNAUDITED, { settledBefore, limit }, 'settled_at', after && [after, after.settledAt])

export async function selectSettled(db: Sql, from: number, to: number, limit: number, after?: PaymentKey) {
  const last = after === undefined ? null : await findPayment(db, after)
  // After a row there is no `from`: of two lower bounds SQLite would read from the lower one.
  return last?.settledAt == null
    ? page(
        db,
        "state = 'settled' and settled_at < :to and settled_at >= :from",
        { from, to, limit },
        'settled_at',
      )
    : page(db, "state = 'settled' and settled_at < :to", { to, limit }, 'settled_at', [last, last.settledAt])
}
