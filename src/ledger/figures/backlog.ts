import { UNSETTLED } from '../payments/state-literals.ts'
import type { Stored } from '../store/columns.ts'
import type { Sql } from '../store/sql.ts'
import type { Backlog } from './operator-figures.ts'

// Each condition is spelled as that of a partial index, so that only its few rows are read.
const OPEN = `select state, count(*) as count, min(claimed_at) as oldest from payments
  where ${UNSETTLED} group by state`
const OTHERS = `select (select count(*) from payments where audit = 'missing') as missing,
  (select count(*) from payments where state = 'settled' and audit is null) as pending,
  (select min(settled_at) from payments where state = 'settled' and audit is null) as pending_since,
  (select count(*) from tasks where nonce is null and ended is null and expires_at > :now) as unpaid`

export async function countBacklog(db: Sql, now: number): Promise<Backlog> {
  const open = await db.rows<Stored>(OPEN)
  const others = (await db.rows<Stored>(OTHERS, { now }))[0]!
  const found = new Map(open.map((row) => [row.state, row]))
  const count = (state: string) => Number(found.get(state)?.count ?? 0)
  const since = (time: unknown) => (time == null ? null : Number(time))
  return {
    claimed: count('claimed'),
    settling: count('settling'),
    inDoubt: count('in_doubt'),
    refused: count('refused'),
    inDoubtSince: since(found.get('in_doubt')?.oldest),
    auditMissing: Number(others.missing),
    auditPending: Number(others.pending),
    auditPendingSince: since(others.pending_since),
    unpaidTasks: Number(others.unpaid),
  }
}
