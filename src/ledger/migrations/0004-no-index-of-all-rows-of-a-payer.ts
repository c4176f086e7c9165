import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Takes away the index of all rows of a payer. Since there is one of his undelivered rows alone, nothing reads the
 * former, and each sale had to write it.
 */
export const noIndexOfAllRowsOfAPayer: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index payments_payer`.execute(db)
  },
}
