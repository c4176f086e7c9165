import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { UNSETTLED } from '../statements/unsettled-rows.ts'

/** No lease is this long. */
const LONGER_MS = 600_000

/**
 * Ends leases that a clock has given which was ahead and has been put back since, as after a start with a wrong clock:
 * their process has gone, and its payments would be in doubt, and its locks taken, until that time comes.
 */
export async function endStrayLeases(db: Kysely<Schema>, now: number): Promise<void> {
  const stray = sql`lease_until > ${now + LONGER_MS}`
  await sql`update payments set lease_until = ${now} where ${stray}
    and ${UNSETTLED}`.execute(db)
  await sql`update channel_deposits set lease_until = ${now} where ${stray} and state = 'sending'`.execute(db)
  await sql`delete from locks where ${stray}`.execute(db)
}
