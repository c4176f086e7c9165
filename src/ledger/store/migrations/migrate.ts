import type { Sql } from '../sql.ts'
import { initial } from './0001-initial.ts'
import { channels } from './0002-channels.ts'
import { treasury } from './0006-treasury.ts'

/** The statements of a migration; `bytes` is the type of byte strings, all that the two databases name differently. */
export type Migration = (bytes: 'blob' | 'bytea') => readonly string[]

/** In order; names are final once released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-channels': channels,
  // What a channel had charged when its last refund was signed: it has one refund for each voucher.
  '0003-channel-refunds': () => ["alter table channels add column refunded text default '0' not null"],
  // How many differing calls came with a channel's newest voucher.
  '0004-channel-mismatches': () => ['alter table channels add column mismatches integer default 0 not null'],
  // Why a payment is in doubt. Older replicas write the state `unconfirmed` instead of `in_doubt` with this reason; rows.ts
  // reads it as that, and they handle `in_doubt` in the same way.
  '0005-doubt-reason': () => ['alter table payments add column doubt text'],
  '0006-treasury': treasury,
  // How paid calls went, and the minutes in which a replica was up, by UTC hour; for the public status page.
  '0007-service-hours': () => [
    `create table service_hours (
      hour text not null, name text not null, count bigint not null,
      constraint service_hours_key primary key (hour, name)
    )`,
  ],
  // Refused and void deposits no longer have a row.
  '0008-ended-deposits': () => ["delete from channel_deposits where state in ('refused', 'void')"],
  // Older replicas read and write it as numbers: no end, and a lease of 1 (rows.ts).
  '0009-payment-origin': () => ['alter table payments add column origin text'],
  // Whose sales a transaction settles, one name for each; older replicas name none.
  '0010-reserved-payers': () => ["alter table treasury_reserves add column payers text default '' not null"],
}

/** The table of applied migrations, named as by the library with which older versions migrate. */
export const MIGRATIONS_TABLE = 'kysely_migration'
export const MIGRATIONS_COLUMNS = '(name varchar(255) primary key, "timestamp" varchar(255) not null)'

/**
 * Brings the schema up to this code's version; needs a transaction, and no other replica may migrate at the same time. A
 * newer schema stays as it is: migrations only add what older code can ignore, so that replicas of two versions can serve
 * side by side.
 */
export async function migrate(db: Sql, bytes: 'blob' | 'bytea', table = MIGRATIONS_TABLE): Promise<void> {
  const applied = await namesIn(db, table)
  const at = new Date().toISOString()
  for (const [name, migration] of Object.entries(MIGRATIONS)) {
    if (applied.has(name)) continue
    for (const statement of migration(bytes)) await db.rows(statement)
    await db.rows(`insert into ${table} (name, "timestamp") values (:name, :at)`, { name, at })
  }
}

export async function isMigrated(db: Sql): Promise<boolean> {
  const applied = await namesIn(db, MIGRATIONS_TABLE)
  return Object.keys(MIGRATIONS).every((name) => applied.has(name))
}

export const newerMigrations = async (db: Sql): Promise<readonly string[]> =>
  [...(await namesIn(db, MIGRATIONS_TABLE))].filter((name) => !(name in MIGRATIONS))

const namesIn = async (db: Sql, table: string): Promise<ReadonlySet<string>> =>
  new Set((await db.rows<{ name: string }>(`select name from ${table}`)).map(({ name }) => name))
