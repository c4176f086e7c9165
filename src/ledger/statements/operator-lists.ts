/** What the operator looks at: rows that need a person, and who buys. Conditions are spelled as the partial indexes are. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Attention, AttentionOptions, PayerSales } from '../operator-figures.ts'
import { toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { DAY_MS } from '../utc-days.ts'
import { UNSETTLED } from './unsettled-rows.ts'

/** A settlement that took longer was noticed by the buyer. */
const SLOW_MS = 5_000
/** A row that was in doubt for longer before it was settled is not looked for among the undelivered. */
const LONGEST_UNSETTLED_MS = 30 * DAY_MS
// In a function, since SQLite would otherwise read all that was settled in the time, most of it delivered, for the few
// that were not.
const SETTLED_AT = sql<number>`coalesce(settled_at, 0)`

export async function selectAttention(
  db: Kysely<Schema>,
  { now, undeliveredSince, undeliveredBefore, limit }: AttentionOptions,
): Promise<Attention> {
  const rows = async (query: ReturnType<typeof sql<Selectable<PaymentTable>>>) =>
    (await query.execute(db)).rows.map(toPaymentRow)
  return {
    inDoubt: await rows(sql`
      select * from payments where ${UNSETTLED}
      and (state in ('in_doubt', 'unconfirmed') or (state = 'settling' and lease_until <= ${now}))
      order by claimed_at, payer, nonce limit ${limit}`),
    missing: await rows(sql`
      select * from payments where audit = 'missing' order by settled_at, payer, nonce limit ${limit}`),
    undelivered: await rows(sql`
      select * from payments where awaits_answer = 1 and claimed_at >= ${undeliveredSince - LONGEST_UNSETTLED_MS}
      and state = 'settled' and delivered_at is null
      and ${SETTLED_AT} >= ${undeliveredSince} and ${SETTLED_AT} < ${undeliveredBefore}
      order by ${SETTLED_AT} desc, payer, nonce limit ${limit}`),
  }
}

/** Sums the settled rows of each payer from `from` up to, not including, `to`. */
export async function sumPayerSales(
  db: Kysely<Schema>,
  from: number,
  to: number,
): Promise<readonly PayerSales[]> {
  const { rows } = await sql<{ payer: string; sales: number | string; slow: number | string }>`
    select payer, count(*) as sales,
      sum(case when settled_at - settling_at > ${SLOW_MS} then 1 else 0 end) as slow
    from payments
    where state = 'settled' and settled_at >= ${from} and settled_at < ${to}
    group by payer order by payer`.execute(db)
  return rows.map(({ payer, sales, slow }) => ({ payer, sales: Number(sales), slow: Number(slow) }))
}
