/** Rows that need a person. Conditions are spelled as the partial indexes are. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Attention, AttentionOptions } from '../operator-figures.ts'
import { toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { DAY_MS } from '../utc-days.ts'
import { UNSETTLED } from './unsettled-rows.ts'

/** A row that was in doubt for longer before it was settled is not looked for among the undelivered. */
const LONGEST_UNSETTLED_MS = 30 * DAY_MS
// In a function: otherwise SQLite takes the index of settled rows and reads the many delivered ones for the few others.
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
