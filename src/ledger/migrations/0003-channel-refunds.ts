import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a channel had charged when its last refund was signed: one refund for each voucher. */
export const channelRefunds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('channels')
      .addColumn('refunded', 'text', (column) => column.notNull().defaultTo('0'))
      .execute()
  },
}
