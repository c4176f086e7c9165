import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bytesType } from './bytes-type.ts'

/** Payments, tasks, counts, locks and facts: everything the service ever writes. */
export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = bytesType(db)
    await db.schema
      .createTable('payments')
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('asset', 'text', (column) => column.notNull())
      .addColumn('payer', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('pay_to', 'text', (column) => column.notNull())
      .addColumn('valid_before', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('refusal', 'text')
      .addColumn('tx', 'text')
      .addColumn('log_index', 'bigint')
      .addColumn('audit', 'text')
      .addColumn('surface', 'text', (column) => column.notNull())
      .addColumn('check_type', 'text', (column) => column.notNull())
      .addColumn('ruleset', 'text', (column) => column.notNull())
      .addColumn('shape', 'text', (column) => column.notNull())
      .addColumn('items', 'integer', (column) => column.notNull())
      .addColumn('salt', bytes)
      .addColumn('binding', bytes)
      .addColumn('binding_key', 'text')
      .addColumn('signature_mac', bytes)
      .addColumn('identifier', bytes)
      .addColumn('task_key', 'text')
      .addColumn('mismatches', 'integer', (column) => column.notNull())
      .addColumn('awaits_answer', 'integer', (column) => column.notNull())
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_block', 'bigint')
      .addColumn('settling_at', 'bigint')
      .addColumn('settled_at', 'bigint')
      .addColumn('delivered_at', 'bigint')
      .addPrimaryKeyConstraint('payments_key', ['network', 'asset', 'payer', 'nonce'])
      .execute()

    for (const index of PAYMENT_INDEXES) await sql.raw(index).execute(db)

    await db.schema
      .createTable('tasks')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('sealed', bytes, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('network', 'text')
      .addColumn('asset', 'text')
      .addColumn('payer', 'text')
      .addColumn('nonce', 'text')
      .addColumn('ended', 'text')
      .execute()
    await db.schema.createIndex('tasks_expiry').on('tasks').column('expires_at').execute()
    await sql`create index tasks_unpaid on tasks (expires_at) where nonce is null and ended is null`.execute(
      db,
    )
    await sql`create index tasks_payment on tasks (nonce) where nonce is not null`.execute(db)

    await db.schema
      .createTable('counts')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('surface', 'text', (column) => column.notNull())
      .addColumn('check_type', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('counts_key', ['day', 'surface', 'check_type', 'outcome'])
      .execute()

    await db.schema
      .createTable('locks')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('facts')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
  },
}

/** Partial where the rows that are asked for are few, so that a finished sale is in as few indexes as possible. */
const PAYMENT_INDEXES = [
  // One chain log settles one row: a transaction may pay many rows, a log never two.
  'create unique index payments_log on payments (network, tx, log_index) where log_index is not null',
  // Two rows under one payment identifier never settle at the same time, on however many replicas.
  "create unique index payments_one_settling on payments (identifier) where state = 'settling' and identifier is not null",
  'create index payments_identifier on payments (identifier) where identifier is not null',
  "create index payments_unresolved on payments (claimed_at) where state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed')",
  "create index payments_unaudited on payments (settled_at) where state = 'settled' and audit is null",
  "create index payments_missing on payments (settled_at) where audit = 'missing'",
  'create index payments_bound on payments (settled_at) where salt is not null',
  'create index payments_settled on payments (settled_at) where settled_at is not null',
  'create index payments_unanswered on payments (payer, claimed_at) where awaits_answer = 1',
  'create index payments_delivered on payments (payer, delivered_at) where delivered_at is not null',
]
