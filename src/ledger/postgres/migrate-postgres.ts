import { Kysely, PostgresDialect, sql } from 'kysely'
import { migrate } from '../migrations/migrate.ts'
import type { Schema } from '../schema.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { openPool } from './postgres-pool.ts'
import { requirePostgresUrl, withoutPassword } from './postgres-url.ts'
import { requireSafeSession, SAFE_SESSION } from './safe-session.ts'

/** A replica waits this long for another one that is migrating, and for its own migrations. */
const MIGRATION_MS = 10 * 60_000
/** How long a schema change waits for a table in use, during which all others queue behind it. */
const TABLE_LOCK_MS = 10_000

/**
 * Brings a PostgreSQL schema up to this code's version, over its own connection with longer timeouts.
 *
 * Replicas that start together line up at an advisory lock. Throws {@link StoreUnavailable} with one line that names
 * DATABASE_URL and never its password.
 */
export async function migratePostgres(url: string, waitMs: number): Promise<void> {
  requirePostgresUrl(url)
  const settings = { ...SAFE_SESSION, statement_timeout: MIGRATION_MS, lock_timeout: TABLE_LOCK_MS }
  try {
    const pool = openPool({ url, max: 1, waitMs, replyMs: MIGRATION_MS, settings })
    try {
      const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
      await requireSafeSession(db)
      await migrate(db, await schemaOf(db))
    } finally {
      await pool.end()
    }
  } catch (error) {
    throw new StoreUnavailable(`DATABASE_URL (${withoutPassword(url)}): ${reasonOf(error)}`, { cause: error })
  }
}

/**
 * The schema in which the session finds or would create the tables. Another program's migrations may be further down the
 * search path, but without our tables.
 */
async function schemaOf(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')
          and exists (select from pg_class as own where own.relnamespace = pg_namespace.oid and relname = 'facts')),
      current_schema()
    ) as name`.execute(db)
  return rows[0]?.name ?? undefined
}

/** The error of a host with several addresses has no message, but a code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'no answer'
}
