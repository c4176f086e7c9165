import { LEASE_MS } from '../payments/payment-row.ts'
import { UNSETTLED } from '../payments/state-literals.ts'
import type { Sql } from '../store/sql.ts'
import { LONGEST_LEASE_MS } from '../store/store-lock.ts'

/**
 * Shortens leases that end later than they would if they began now: their process, which is gone, had another clock than
 * this one has. By this clock its payments would stay in doubt, and its locks taken, until such leases end.
 */
export async function shortenStrayLeases(db: Sql, now: number): Promise<void> {
  const shorten = (table: string, longestMs: number, condition = 'true') =>
    db.rows(`update ${table} set lease_until = :latest where lease_until > :latest and ${condition}`, {
      latest: now + longestMs,
    })
  await shorten('payments', LEASE_MS, UNSETTLED)
  await shorten('channel_deposits', LEASE_MS, "state = 'sending'")
  await shorten('locks', LONGEST_LEASE_MS)
}
