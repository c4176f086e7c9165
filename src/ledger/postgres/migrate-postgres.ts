import { MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../migrations/migrate.ts'
import type { Sql } from '../sql.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { openPool } from './postgres-pool.ts'
import { postgresSql } from './postgres-sql.ts'
import { requirePostgresUrl, withoutPassword } from './postgres-url.ts'
import { requireSafeSession, SAFE_SESSION } from './safe-session.ts'

/** A replica waits this long for another one that is migrating, and for its own migrations. */
const MIGRATION_MS = 10 * 60_000
/** How long a schema change waits for a table in use, during which all others queue behind it. */
const TABLE_LOCK_MS = 10_000
/** The name of the lock, which older versions take too. */
const MIGRATION_LOCK = '3853314791062309107'

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
      const db = postgresSql(pool)
      await requireSafeSession(db)
      await db.transaction(migrateInTurn)
    } finally {
      await pool.end()
    }
  } catch (error) {
    throw new StoreUnavailable(`DATABASE_URL (${withoutPassword(url)}): ${reasonOf(error)}`, { cause: error })
  }
}

async function migrateInTurn(db: Sql): Promise<void> {
  const setLockTimeout = (ms: string) => db.rows("select set_config('lock_timeout', :ms, true)", { ms })
  await setLockTimeout('0')
  await db.rows(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await setLockTimeout(String(TABLE_LOCK_MS))
  const { schema, exists } = await placeOf(db)
  const table = `${schema}.${MIGRATIONS_TABLE}`
  // A role that may not create tables starts once they are there.
  if (!exists) await db.rows(`create table ${table} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'bytea', table)
}

/**
 * The schema in which the session finds or would create the tables, in quotes. Another program's migrations may be further
 * down the search path, but without our tables.
 */
async function placeOf(db: Sql): Promise<{ readonly schema: string; readonly exists: boolean }> {
  const [place] = await db.rows<{ found: string | null; present: string }>(
    `select (select quote_ident(nspname) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('${MIGRATIONS_TABLE}')
          and exists (select from pg_class as own where own.relnamespace = pg_namespace.oid and relname = 'facts')
      ) as found, quote_ident(current_schema()) as present`,
  )
  if (place === undefined) throw new Error('no answer')
  return { schema: place.found ?? place.present, exists: place.found !== null }
}

/** The error of a host with several addresses has no message, but a code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'no answer'
}
