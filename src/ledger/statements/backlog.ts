import { type Kysely, sql } from 'kysely'
import type { Backlog } from '../operator-figures.ts'
import type { Schema } from '../schema.ts'
import { UNCONFIRMED } from './state-literals.ts'
import { UNSETTLED } from './unsettled-rows.ts'

/**
 * Counts the open rows, and the settled ones that the audit has not seen or did not find.
 *
 * Each condition repeats that of its partial index in literals, so that only those few rows are read.
 */
export async function countBacklog(db: Kysely<Schema>, now: number): Promise<Backlog> {
  const open = await sql<{ state: string; count: number | string; oldest: number | string }>`
    select state, count(*) as count, min(claimed_at) as oldest from payments
    where ${UNSETTLED} group by state`.execute(db)
  const audit = await sql<{ missing: number | string; pending: number | string }>`
    select (select count(*) from payments where audit = 'missing') as missing,
      (select count(*) from payments where state = 'settled' and audit is null) as pending`.execute(db)
  const tasks = await sql<{ unpaid: number | string }>`
    select count(*) as unpaid from tasks where nonce is null and ended is null and expires_at > ${now}`.execute(
    db,
  )
  const found = new Map(open.rows.map((row) => [row.state, row]))
  const count = (state: string) => Number(found.get(state)?.count ?? 0)
  const oldest = ['in_doubt', UNCONFIRMED].flatMap((state) => found.get(state)?.oldest ?? []).map(Number)
  return {
    claimed: count('claimed'),
    settling: count('settling'),
    inDoubt: count('in_doubt') + count(UNCONFIRMED),
    refused: count('refused'),
    inDoubtSince: oldest.length === 0 ? null : Math.min(...oldest),
    auditMissing: Number(audit.rows[0]?.missing ?? 0),
    auditPending: Number(audit.rows[0]?.pending ?? 0),
    unpaidTasks: Number(tasks.rows[0]?.unpaid ?? 0),
  }
}
