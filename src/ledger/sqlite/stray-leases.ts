import { LEASE_MS } from '../payments/payment-row.ts'
import { UNSETTLED } from '../payments/state-literals.ts'
import type { Sql } from '../store/sql.ts'
import { LONGEST_LEASE_MS } from '../store/store-lock.ts'

/**
 * Shortens leases longer than one that begins now: their process is gone and had another clock. Until they end, its
 * payments would stay in doubt and its locks taken.
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
