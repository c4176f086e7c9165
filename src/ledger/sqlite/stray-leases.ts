import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { UNSETTLED } from '../statements/unsettled-rows.ts'

/** No lease is this long. */
const LONGER_MS = 600_000

/**
 * Ends leases written while this machine's clock was ahead. Their process is gone, and until that time came its payments
 * would stay in doubt and its locks taken.
 */
export async function endStrayLeases(db: Kysely<Schema>, now: number): Promise<void> {
  const stray = sql`lease_until > ${now + LONGER_MS}`
  await sql`update payments set lease_until = ${now} where ${stray}
    and ${UNSETTLED}`.execute(db)
  await sql`update channel_deposits set lease_until = ${now} where ${stray} and state = 'sending'`.execute(db)
  await sql`delete from locks where ${stray}`.execute(db)
}
