import { UNSETTLED } from '../payments/state-literals.ts'
import type { Sql } from '../store/sql.ts'

/** Longer than any lease. */
const LONGER_MS = 600_000

/**
 * Ends leases that were written while this machine's clock was ahead. Their process is gone, but its payments would stay
 * in doubt and its locks taken until the leases end.
 */
export async function endStrayLeases(db: Sql, now: number): Promise<void> {
  const values = { now, latest: now + LONGER_MS }
  await db.rows(`update payments set lease_until = :now where lease_until > :latest and ${UNSETTLED}`, values)
  await db.rows(
    "update channel_deposits set lease_until = :now where lease_until > :latest and state = 'sending'",
    values,
  )
  await db.rows('delete from locks where lease_until > :latest', values)
}
