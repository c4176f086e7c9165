import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The newest block at the claim: blocks, not clocks, say what came before it. */
export const claimedBlock: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('payments').addColumn('claimed_block', 'bigint').execute()
  },
}
