import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What a payer bought and has not been seen to receive, looked up before each sale: few rows, however many he has bought
 * in the last minutes.
 */
export const unanswered: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index payments_unanswered on payments (payer, claimed_at) where delivered_at is null`.execute(
      db,
    )
  },
}
