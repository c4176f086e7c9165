import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bytesType } from './bytes-type.ts'

/** Payment channels and the deposits into them. */
export const channels: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = bytesType(db)
    await db.schema
      .createTable('channels')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('payer', 'text', (column) => column.notNull())
      .addColumn('payer_authorizer', 'text', (column) => column.notNull())
      .addColumn('receiver', 'text', (column) => column.notNull())
      .addColumn('receiver_authorizer', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('withdraw_delay', 'bigint', (column) => column.notNull())
      .addColumn('config_salt', 'text', (column) => column.notNull())
      .addColumn('balance', 'text', (column) => column.notNull())
      .addColumn('total_claimed', 'text', (column) => column.notNull())
      .addColumn('refund_nonce', 'text', (column) => column.notNull())
      .addColumn('withdraw_requested_at', 'bigint', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .addColumn('charged', 'text', (column) => column.notNull())
      .addColumn('signature', 'text', (column) => column.notNull())
      .addColumn('refunding', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('surface', 'text', (column) => column.notNull())
      .addColumn('check_type', 'text', (column) => column.notNull())
      .addColumn('ruleset', 'text', (column) => column.notNull())
      .addColumn('shape', 'text', (column) => column.notNull())
      .addColumn('items', 'integer', (column) => column.notNull())
      .addColumn('salt', bytes)
      .addColumn('binding', bytes)
      .addColumn('binding_key', 'text')
      .addColumn('charged_at', 'bigint', (column) => column.notNull())
      .addColumn('tx', 'text')
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await sql`create index channels_bound on channels (charged_at) where salt is not null`.execute(db)
    await sql`create index channels_claimable on channels (charged_at) where charged <> total_claimed`.execute(
      db,
    )

    await db.schema
      .createTable('channel_deposits')
      .addColumn('payer', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('voucher', 'text', (column) => column.notNull())
      .addColumn('valid_before', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('tx', 'text')
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_deposits_key', ['payer', 'nonce'])
      .execute()
    await db.schema
      .createIndex('channel_deposits_voucher')
      .on('channel_deposits')
      .columns(['channel', 'voucher'])
      .execute()
    await sql`create index channel_deposits_sending on channel_deposits (claimed_at) where state = 'sending'`.execute(
      db,
    )
  },
}
