import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the operator earns and spends, by UTC day and payer, and what is reserved for transactions without a receipt. */
export const treasury: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    let days = db.schema
      .createTable('treasury')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('payer', 'text', (column) => column.notNull())
    for (const sum of ['earned', 'spent', 'gas', 'sales', 'reserved', 'lost', 'credit', 'beyond'])
      days = days.addColumn(sum, 'bigint', (column) => column.notNull().defaultTo(0))
    await days.addPrimaryKeyConstraint('treasury_key', ['day', 'payer']).execute()
    await db.schema.createIndex('treasury_payer').on('treasury').column('payer').execute()
    await db.schema.createIndex('channels_payer').on('channels').column('payer').execute()
    await db.schema
      .createTable('treasury_reserves')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('payer', 'text', (column) => column.notNull())
      .addColumn('worst', 'bigint', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .execute()
  },
}
