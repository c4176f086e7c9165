import { DatabaseError } from 'pg'
import type { ClaimOutcome, Ledger, MoveOptions } from '../ledger.ts'
import * as lists from '../payments/payment-lists.ts'
import type { NewPayment, PaymentChange, SeenPayment } from '../payments/payment-row.ts'
import * as payments from '../payments/payments.ts'
import { purge } from '../payments/purge.ts'
import { type Run, storeMethods } from '../statements/store-methods.ts'
import { isMigrated } from '../store/migrations/migrate.ts'
import { Raced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import { guardWith } from '../store/store-guard.ts'
import { claimUnseen, knownIfRaced, reclaim } from '../tasks/claim.ts'
import type { TaskAttachment } from '../tasks/task-row.ts'
import { insertTask } from '../tasks/tasks.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { openPool } from './postgres-pool.ts'
import { type PostgresSql, postgresSql } from './postgres-sql.ts'
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

/** SQLSTATE 23505. */
const UNIQUE_VIOLATION = '23505'
/** SQLSTATE 25006. */
const READ_ONLY = '25006'
const ONE_OF_TWO = ['payments_log', 'payments_one_settling']
/** An SQL condition that always holds; its transaction's commit does not wait for the disk. */
const UNFLUSHED = "(select set_config('synchronous_commit', 'off', true)) is not null"

const guard = guardWith('the PostgreSQL store did not answer')

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
  const clock = await guard(() => openServerClock(db))
  const run: Run = (statement) => guard(() => statement(db))
  const runAside: Run = (statement) => guard(() => statement(background))
  const transact: Run = (statements) => guard(() => db.transaction(statements))

  return {
    clock,
    load: sales.load,
    claim: (payment, task) => knownIfRaced(run, payment, () => guard(() => claimOnce(db, payment, task))),
    reclaim: (seen, change, task) =>
      knownIfRaced(run, seen, () => transact((tx) => reclaim(tx, seen, change, task))),
    move: (seen, change, options) => guard(() => moveOnce(db, seen, change, options)),
    noteDelivered: (key, at, lockedFrom) => runAside((db) => payments.noteDelivered(db, key, at, lockedFrom)),
    unanswered: (payer, type, since, deliveredSince) =>
      guard(() => lists.selectUnanswered(db, payer, type, since, deliveredSince)),
    saveTask: (task, cap) => guard(() => insertTask(db, task, cap, UNFLUSHED)),
    ...storeMethods({ read: run, write: run, survey: runAside, note: runAside, transact, now: clock.now }),
    purge: (now, windows) =>
      guard(async () => {
        await clock.sync(background)
        return purge((run) => run(background), now, windows)
      }),
    ready: () => guard(async () => (await isMigrated(db)) && takesWrites(db)),
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

/** Without a task the claim is a single statement and needs no transaction. */
async function claimOnce(
  db: PostgresSql,
  payment: NewPayment,
  task: TaskAttachment | undefined,
): Promise<ClaimOutcome> {
  try {
    return await (task === undefined
      ? claimUnseen(db, payment, task)
      : db.transaction((transaction) => claimUnseen(transaction, payment, task)))
  } catch (error) {
    throw isBeaten(error) ? new Raced() : error
  }
}

/**
 * Of two concurrent moves with one chain log, or one payment identifier, neither sees the other; a unique index refuses
 * the second.
 */
async function moveOnce(
  db: Sql,
  seen: SeenPayment,
  change: PaymentChange,
  { durable = true, ...options }: MoveOptions = {},
) {
  try {
    return await payments.movePayment(db, seen, change, options, durable ? undefined : UNFLUSHED)
  } catch (error) {
    if (isBeaten(error)) return null
    throw error
  }
}

const isBeaten = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.code === UNIQUE_VIOLATION &&
  ONE_OF_TWO.includes(error.constraint ?? '')

/** Throws on a standby, and if an operator has made the database read-only. */
async function takesWrites(db: Sql): Promise<true> {
  const [session] = await db.rows<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  )
  if (session?.read_only === 'off') return true
  throw Object.assign(new Error('the server takes reads only'), { code: READ_ONLY })
}
