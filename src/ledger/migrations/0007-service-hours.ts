import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How paid calls went, and the minutes in which a replica was up, by UTC hour; for the public status page. */
export const serviceHours: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('service_hours')
      .addColumn('hour', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('service_hours_key', ['hour', 'name'])
      .execute()
  },
}
