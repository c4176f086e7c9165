import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Two rows under one payment identifier never settle at the same time, on however many replicas. */
export const oneSettlingPerIdentifier: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create unique index payments_one_settling on payments (identifier) where state = 'settling' and identifier is not null`.execute(
      db,
    )
  },
}
