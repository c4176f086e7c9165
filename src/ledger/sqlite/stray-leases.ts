import type { Sql } from '../sql.ts'
import { UNSETTLED } from '../statements/state-literals.ts'

/** No lease is this long. */
const LONGER_MS = 600_000

/**
 * Ends leases written while this machine's clock was ahead. Their process is gone, and until that time came its payments
 * would stay in doubt and its locks taken.
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
