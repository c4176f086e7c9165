import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Why a payment is in doubt. Older replicas write the state `unconfirmed` for what is `denied` here; it is read as that,
 * and ends as every doubt does. What is written here is `in_doubt`, which they handle alike.
 */
export const doubtReason: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('payments').addColumn('doubt', 'text').execute()
  },
}
