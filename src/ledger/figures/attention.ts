/** Conditions are spelled as those of partial indexes. */

import { DAY_MS } from '../../values/utc-days.ts'
import { toPaymentRow } from '../payments/payment-row.ts'
import { UNSETTLED } from '../payments/state-literals.ts'
import type { Stored } from '../store/columns.ts'
import type { Sql } from '../store/sql.ts'
import type { Attention, AttentionOptions } from './operator-figures.ts'

/** A sale that was in doubt for longer before it was settled is not listed as undelivered. */
const LONGEST_UNSETTLED_MS = 30 * DAY_MS
// Without `coalesce`, SQLite would choose the index of settled rows and read all delivered ones.
const SETTLED_AT = 'coalesce(settled_at, 0)'

const IN_DOUBT = `select * from payments where ${UNSETTLED}
  and (state = 'in_doubt' or (state = 'settling' and lease_until <= :now))
  order by claimed_at, payer, nonce limit :limit`
const MISSING =
  "select * from payments where audit = 'missing' order by settled_at, payer, nonce limit :limit"
const UNDELIVERED = `select * from payments where awaits_answer = 1 and claimed_at >= :claimedSince
  and state = 'settled' and delivered_at is null
  and ${SETTLED_AT} >= :undeliveredSince and ${SETTLED_AT} < :undeliveredBefore
  order by ${SETTLED_AT} desc, payer, nonce limit :limit`

export async function selectAttention(db: Sql, options: AttentionOptions): Promise<Attention> {
  const values = { ...options, claimedSince: options.undeliveredSince - LONGEST_UNSETTLED_MS }
  const rows = async (text: string) => (await db.rows<Stored>(text, values)).map(toPaymentRow)
  return { inDoubt: await rows(IN_DOUBT), missing: await rows(MISSING), undelivered: await rows(UNDELIVERED) }
}
