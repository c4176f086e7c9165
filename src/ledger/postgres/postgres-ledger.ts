import { DatabaseError } from 'pg'
import { type Ledger, portsOver } from '../ledger.ts'
import { isMigrated } from '../store/migrations/migrate.ts'
import { Raced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import { bind, type Run } from '../store/store.ts'
import { guardWith } from '../store/store-guard.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { openPool } from './postgres-pool.ts'
import { postgresSql } from './postgres-sql.ts'
import { SAFE_SESSION } from './safe-session.ts'
import { openServerClock } from './server-clock.ts'

export interface PostgresOptions {
  /** postgres://user:password@host:port/database; TLS as its `sslmode` and `sslrootcert` say. */
  readonly url: string
  /** Connections for payments; two more are for background work. */
  readonly poolSize?: number
  /** The longest a statement may run, waiting for locks included. */
  readonly statementTimeoutMs?: number
  readonly poolWaitMs?: number
}

const BACKGROUND_CONNECTIONS = 2
/** Background statements may run this many times longer than those of a sale. */
const BACKGROUND_PATIENCE = 20
/** The client times out this much later than the server, so that the server's error comes first. */
const REPLY_MARGIN_MS = 1_000

const UNIQUE_VIOLATION = '23505'
const READ_ONLY = '25006'
const ONE_OF_TWO = ['payments_log', 'payments_one_settling']
/** An SQL condition that always holds; its transaction's commit does not wait for the disk. */
const UNFLUSHED = "(select set_config('synchronous_commit', 'off', true)) is not null"

const guarded = guardWith('the PostgreSQL store did not answer')

/**
 * Most calls are one statement, so one round trip. Brings the schema up to date first; throws StoreUnavailable, naming
 * DATABASE_URL, if that cannot be done.
 */
export async function openPostgresLedger(options: PostgresOptions): Promise<Ledger> {
  const { url, poolSize = 10, statementTimeoutMs = 3_000, poolWaitMs = 2_000 } = options
  await migratePostgres(url, poolWaitMs)
  const common = { url, waitMs: poolWaitMs }
  const sales = openPool({ ...common, ...session(statementTimeoutMs, 'on'), max: poolSize })
  const others = openPool({
    ...common,
    ...session(statementTimeoutMs * BACKGROUND_PATIENCE, 'off'),
    max: BACKGROUND_CONNECTIONS,
  })
  const [db, background] = [postgresSql(sales), postgresSql(others)]
  const over = (connection: Sql): Run => guarded((work) => racedIfBeaten(work(connection)))
  const [run, runAside] = [over(db), over(background)]
  const [read, flush] = [bind<'read'>(run), bind<'flush'>(run)]
  const clock = await run(openServerClock)
  const ports = portsOver({
    ...{ clock, read, flush, readsFirst: false },
    survey: bind(runAside),
    transact: bind(guarded((work) => racedIfBeaten(db.transaction(work)))),
    commit: bind(over({ ...db, always: UNFLUSHED })),
    aside: bind(runAside),
    notes: { write: (_payer, work) => runAside(work), settle: async () => {} },
  })
  return {
    ...ports,
    clock,
    load: sales.load,
    purge: async (now, windows) => {
      await runAside(clock.sync)
      return ports.purge(now, windows)
    },
    ready: read(async (connection) => (await isMigrated(connection)) && takesWrites(connection)),
    close: async () => {
      await Promise.all([sales.end(), others.end()])
    },
  }
}

/**
 * Settings that must not depend on the server's defaults. `synchronousCommit`: whether a write that has resolved is on disk.
 */
const session = (statementMs: number, synchronousCommit: 'on' | 'off') => ({
  replyMs: statementMs + REPLY_MARGIN_MS,
  settings: {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    ...SAFE_SESSION,
    synchronous_commit: synchronousCommit,
  },
})

/**
 * Of two concurrent writes with one chain log, or one payment identifier, neither sees the other; a unique index refuses
 * the second.
 */
async function racedIfBeaten<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const isBeaten = error instanceof DatabaseError && error.code === UNIQUE_VIOLATION
    throw isBeaten && ONE_OF_TWO.includes(error.constraint ?? '') ? new Raced() : error
  }
}

/** Throws on a standby, and if an operator has made the database read-only. */
async function takesWrites(db: Sql): Promise<true> {
  const [session] = await db.rows<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  )
  if (session?.read_only === 'off') return true
  throw Object.assign(new Error('the server takes reads only'), { code: READ_ONLY })
}
