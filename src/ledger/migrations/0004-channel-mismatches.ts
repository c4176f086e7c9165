import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How many differing calls came with a channel's newest voucher. */
export const channelMismatches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('channels')
      .addColumn('mismatches', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
