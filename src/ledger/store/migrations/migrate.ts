import type { Sql } from '../sql.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { INITIAL, MIGRATIONS } from './migrations.ts'

/** The table of applied migrations; its name and columns are those of Kysely's migrator. */
export const MIGRATIONS_TABLE = 'kysely_migration'
export const MIGRATIONS_COLUMNS = '(name varchar(255) primary key, "timestamp" varchar(255) not null)'

export const UNRELEASED_STORE =
  'this store was written before the first release; start with an empty DATA_DIR or database'

/**
 * Brings the schema up to this code's version; needs a transaction, and no other replica may migrate at the same time. A
 * newer schema stays as it is: migrations only add what older code can ignore, so that replicas of two versions can serve
 * side by side. Throws {@link StoreUnavailable} for a store that another initial schema made.
 */
export async function migrate(db: Sql, bytes: 'blob' | 'bytea', table = MIGRATIONS_TABLE): Promise<void> {
  const applied = await namesIn(db, table)
  if (isUnreleased(applied)) throw new StoreUnavailable(UNRELEASED_STORE)
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

export type SchemaAge = 'known' | 'newer' | 'unreleased'

/** How the schema of an existing store relates to this code. */
export async function schemaAge(db: Sql): Promise<SchemaAge> {
  const applied = await namesIn(db, MIGRATIONS_TABLE)
  if (isUnreleased(applied)) return 'unreleased'
  return [...applied].every((name) => name in MIGRATIONS) ? 'known' : 'newer'
}

const isUnreleased = (applied: ReadonlySet<string>) => applied.size > 0 && !applied.has(INITIAL)

const namesIn = async (db: Sql, table: string): Promise<ReadonlySet<string>> =>
  new Set((await db.rows<{ name: string }>(`select name from ${table}`)).map(({ name }) => name))
