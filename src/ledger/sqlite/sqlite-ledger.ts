import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { memoize } from '../../caches/memoize.ts'
import { flushFolder } from '../../files/flush-folder.ts'
import { holdLockFile } from '../../files/lock-file.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { type Ledger, portsOver } from '../ledger.ts'
import { acquireLock } from '../store/locks.ts'
import { isMigrated, MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../store/migrations/migrate.ts'
import type { Sql } from '../store/sql.ts'
import { bind, type Run } from '../store/store.ts'
import { deliveryNotes } from './delivery-notes.ts'
import { type OnFailedFlush, type Touch, touchUntilFailedFlush } from './failed-flush.ts'
import { refuseForeignLog } from './foreign-log.ts'
import { type CommitOptions, GroupCommit, type Patience } from './group-commit.ts'
import { holdPlace } from './hold-place.ts'
import { rewriteLog } from './rewrite-log.ts'
import { BUSY_TIMEOUT_MS, guarded, sqliteSql } from './sqlite-sql.ts'
import { shortenStrayLeases } from './stray-leases.ts'

/**
 * Pages of 4 kB before a commit moves the log into the database, which takes some milliseconds: SQLite's default of
 * 1,000 is every ninety sales. A page that several sales changed is moved once.
 */
const LOG_PAGES = 4_000
/** A transaction seldom writes more. */
const USUAL_PAGES = 64

/** The name of a lock that is only taken to see that a write succeeds. */
const PROBE = 'write-probe'
const PROBE_MS = 5_000

export interface StoreTiming {
  readonly patience: Patience
  readonly logPages?: number
}

/** One SQLite file in `dataDir`, for one process. Throws if the folder is in use or cannot be written. */
export async function openSqliteLedger(options: {
  readonly dataDir: string
  /** UTC milliseconds. */
  readonly now?: () => number
  readonly timing?: StoreTiming
  readonly onFailedFlush?: OnFailedFlush
}): Promise<Ledger> {
  makeFolder(options.dataDir)
  restrict(options.dataDir, 0o700)
  const lock = holdLockFile(privateFile(options.dataDir, 'ledger.lock'))
  const file = privateFile(options.dataDir, 'ledger.sqlite')
  refuseForeignLog(file)
  rewriteLog(`${file}-wal`)
  const touch = touchUntilFailedFlush(options.onFailedFlush ?? (() => {}))
  const connection = await connect(file, touch, options.timing)
  // SQLite ignores a failed flush of the names of its files.
  flushFolder(options.dataDir)
  const { commits, reader } = connection

  const write = (how?: CommitOptions): Run => guarded((work) => commits.run(work, how))
  const [read, flush] = [bind<'read'>(guarded((work) => work(reader))), bind<'flush'>(write())]
  const commit = bind<'commit'>(write({ durable: false }))

  const clock = { now: options.now ?? Date.now }
  await read(shortenStrayLeases)(clock.now())

  // The lease differs each time, since SQLite writes nothing if nothing changes. A store that was full is ready as soon
  // as it has room.
  const take = flush(acquireLock)
  const probe = memoize(() => take(PROBE, PROBE, clock.now(), clock.now()).then(() => true), PROBE_MS)

  const ports = portsOver({
    ...{ clock, read, survey: read, flush, transact: flush, commit, aside: commit, readsFirst: true },
    notes: deliveryNotes(write({ durable: false, patient: true }), () => commits.hurry()),
  })
  return {
    ...ports,
    clock,
    load: { waiting: () => commits.waiting, connections: () => null },
    purge: async (now, windows) => {
      const purged = await ports.purge(now, windows)
      // The log still holds deleted content. If a reader is active, the next run truncates it.
      connection.truncateLog()
      await commit(async () => {})()
      return purged
    },
    ready: async () => (await read(isMigrated)()) && probe(),
    close: async () => {
      await commits.idle()
      connection.close()
      lock.release()
    },
  }
}

/**
 * SQLite gives its log and index the same permissions. An existing file is not opened: closing it would drop this
 * process's own locks on it (POSIX advisory locks).
 */
function privateFile(folder: string, name: string): string {
  const path = join(folder, name)
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  restrict(path, 0o600)
  return path
}

/** Takes other users' access away; a folder of another user (a mounted volume) stays as it is. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** One connection: a second one would read every page again after each commit. `reader` sees only what is committed. */
async function connect(file: string, touch: Touch, timing?: StoreTiming) {
  const database = touch(() => openDatabase(file))
  const over = sqliteSql(database, touch)
  await bringUpToDate(database, over(), touch)
  const checkpoint = {
    noop: database.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(NOOP)'),
    passive: database.prepare('pragma wal_checkpoint(PASSIVE)'),
    truncate: database.prepare('pragma wal_checkpoint(TRUNCATE)'),
  }
  const requirePlace = holdPlace(file, `${file}-wal`)
  const logPages = timing?.logPages ?? LOG_PAGES
  let [truncates, unseen] = [false, 0]
  /**
   * The longer the log, the more often it looks. Between transactions, since SQLite's own checkpoint hides a flush that
   * fails.
   */
  const shortenLog = () => {
    if (!truncates && unseen > 0) return void unseen--
    const { log: pages, checkpointed } = checkpoint.noop.get()!
    unseen = Math.max(0, Math.floor((logPages - pages) / USUAL_PAGES))
    if (!truncates && (pages < logPages || pages === checkpointed)) return
    const due = truncates ? checkpoint.truncate : checkpoint.passive
    truncates = false
    due.get()
  }
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const changes = database.prepare<[], number>('select total_changes()').pluck()
  let flushes = false
  /** Commits wait for the next flush. */
  let hasUnflushed = false
  let changesBefore: number | undefined
  const commits = new GroupCommit(
    {
      db: over(),
      begin: (isDurable) =>
        touch(() => {
          requirePlace()
          shortenLog()
          // Compiled each time: a prepared one would take effect only then.
          if (isDurable !== flushes) database.exec(`pragma synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
          flushes = isDurable
          if (hasUnflushed && flushes) changesBefore = changes.get()
          begin.run()
        }),
      commit: () =>
        touch(() => {
          // SQLite flushes no commit that wrote nothing; a page that is written as it was makes it flush those before.
          if (hasUnflushed && flushes && changes.get() === changesBefore)
            database.exec('pragma user_version = 0')
          commit.run()
          hasUnflushed = !flushes
        }),
      rollback: () =>
        touch(() => {
          // SQLite itself rolls back when a disk is full or fails.
          if (database.inTransaction) database.exec('rollback')
        }),
    },
    timing?.patience,
  )
  const reader = over(commits)
  return {
    commits,
    reader,
    truncateLog: () => {
      truncates = true
    },
    close: () =>
      touch(() => {
        if (!database.open) return
        // Closing does the same, but hides a flush that fails.
        checkpoint.passive.get()
        database.close()
      }),
  }
}

function openDatabase(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('secure_delete = ON')
  database.pragma('wal_autocheckpoint = 0')
  return database
}

async function bringUpToDate(database: Database.Database, db: Sql, touch: Touch): Promise<void> {
  touch(() => database.exec('begin immediate'))
  await db.rows(`create table if not exists ${MIGRATIONS_TABLE} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'blob')
  touch(() => database.exec('commit'))
}
