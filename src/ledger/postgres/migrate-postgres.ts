import { MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../store/migrations/migrate.ts'
import type { Sql } from '../store/sql.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { openPool } from './postgres-pool.ts'
import { postgresSql } from './postgres-sql.ts'
import { requirePostgresUrl, withoutPassword } from './postgres-url.ts'
import { requireSafeSession, SAFE_SESSION } from './safe-session.ts'

/** The longest a replica waits for another one that is migrating, and its own statements may run. */
const MIGRATION_MS = 10 * 60_000
/** The longest a schema change waits for a table in use; every later statement on the table queues behind it. */
const TABLE_LOCK_MS = 10_000
/** Replicas of every version take the same lock. */
const MIGRATION_LOCK = '3853314791062309107'

/**
 * Over a connection with longer timeouts; replicas that start together take turns by an advisory lock. The message of
 * {@link StoreUnavailable} is one line that names DATABASE_URL without the password.
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

export async function migrateInTurn(db: Sql): Promise<void> {
  const setLockTimeout = (ms: string) => db.rows("select set_config('lock_timeout', :ms, true)", { ms })
  await setLockTimeout('0')
  await db.rows(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await setLockTimeout(String(TABLE_LOCK_MS))
  const { schema, exists } = await placeOf(db)
  const table = `${schema}.${MIGRATIONS_TABLE}`
  // Not `if not exists`, which asks for the right to create tables even if the table exists.
  if (!exists) await db.rows(`create table ${table} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'bytea', table)
}

/**
 * The schema, in quotes, with our tables, or where the session would create them. Another program may have a table of
 * migrations with the same name, but no `facts` beside it.
 */
async function placeOf(db: Sql): Promise<{ readonly schema: string; readonly exists: boolean }> {
  const rows = await db.rows<{ found: string | null; present: string }>(
    `select (select quote_ident(nspname) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('${MIGRATIONS_TABLE}')
          and exists (select from pg_class as own where own.relnamespace = pg_namespace.oid and relname = 'facts')
      ) as found, quote_ident(current_schema()) as present`,
  )
  const { found, present } = rows[0]!
  return { schema: found ?? present, exists: found !== null }
}

/** The error of a host with several addresses has a code and no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'no answer'
}
