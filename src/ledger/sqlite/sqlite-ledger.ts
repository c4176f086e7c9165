import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { memoize } from '../../caches/memoize.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { type Ledger, portsOver } from '../ledger.ts'
import { acquireLock } from '../store/locks.ts'
import { isMigrated, MIGRATIONS_COLUMNS, MIGRATIONS_TABLE, migrate } from '../store/migrations/migrate.ts'
import { bind, type Run } from '../store/store.ts'
import { deliveryNotes } from './delivery-notes.ts'
import { refuseForeignLog } from './foreign-log.ts'
import { type CommitOptions, GroupCommit, type Patience } from './group-commit.ts'
import { holdPlace } from './hold-place.ts'
import { holdLockFile } from './lock-file.ts'
import { type FlushCalls, openLogFlush } from './log-flush.ts'
import { BUSY_TIMEOUT_MS, guarded, sqliteSql } from './sqlite-sql.ts'
import { shortenStrayLeases } from './stray-leases.ts'

/**
 * Pages of 4 kB in the log before a commit moves them into the database, which takes some milliseconds. With SQLite's
 * default of 1,000 that would happen every ninety sales. A page that several sales changed is moved once.
 */
const LOG_PAGES = 4_000
/** A transaction seldom writes more. */
const USUAL_PAGES = 64

/** The name of a lock that is only taken to see that a write succeeds. */
const PROBE = 'write-probe'
const PROBE_MS = 5_000

export interface StoreTiming {
  readonly patience: Patience
  readonly flush: Partial<FlushCalls>
  /** In place of {@link LOG_PAGES}. */
  readonly logPages?: number
}

/**
 * The embedded store: one SQLite file in `dataDir`, for one process. A durable write is on disk once it has resolved
 * ({@link openLogFlush}). Throws if the folder is in use or cannot be written.
 */
export async function openSqliteLedger(options: {
  readonly dataDir: string
  /** UTC milliseconds. */
  readonly now?: () => number
  /** What else depends on time; the simulation replaces it. */
  readonly timing?: StoreTiming
}): Promise<Ledger> {
  makeFolder(options.dataDir)
  restrict(options.dataDir, 0o700)
  const lock = holdLockFile(privateFile(options.dataDir, 'ledger.lock'))
  const file = privateFile(options.dataDir, 'ledger.sqlite')
  refuseForeignLog(file)
  const connection = await connect(file, options.timing)
  const { commits, reader } = connection

  const write = (how?: CommitOptions): Run => guarded((work) => commits.run(work, how))
  const [read, flush] = [bind<'read'>(guarded((work) => work(reader))), bind<'flush'>(write())]
  const commit = bind<'commit'>(write({ durable: false }))

  const clock = { now: options.now ?? Date.now }
  await read(shortenStrayLeases)(clock.now())

  // The lease differs each time, since SQLite writes nothing if nothing changes. Failures are not remembered, so a store
  // that was full is ready as soon as it has room again.
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
      await flush(async () => {})()
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
 * Makes a file that only its owner can read; SQLite gives its log and index the same permissions. An existing file is not
 * opened: closing it would drop this process's own locks on it (POSIX advisory locks).
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

/**
 * Opens the one connection to the file, for reads and writes: a second one would read every page again after each commit.
 * `reader` sees only what is committed.
 */
async function connect(file: string, timing?: StoreTiming) {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('secure_delete = ON')
  database.pragma('wal_autocheckpoint = 0')
  await bringUpToDate(database)
  const over = sqliteSql(database)
  const checkpoint = {
    noop: database.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(NOOP)'),
    passive: database.prepare('pragma wal_checkpoint(PASSIVE)'),
    truncate: database.prepare('pragma wal_checkpoint(TRUNCATE)'),
  }
  const frames = () => checkpoint.noop.get()!.log
  const log = openLogFlush(`${file}-wal`, frames, timing?.flush)
  const requirePlace = holdPlace(file, `${file}-wal`)
  const logPages = timing?.logPages ?? LOG_PAGES
  let [truncates, unseen] = [false, 0]
  /** Moves a long log into the database; looks at its length the more often the longer it is. */
  const shortenLog = () => {
    if (!truncates && unseen > 0) return void unseen--
    const { log: pages, checkpointed } = checkpoint.noop.get()!
    unseen = Math.max(0, Math.floor((logPages - pages) / USUAL_PAGES))
    if (!truncates && (pages < logPages || pages === checkpointed)) return
    log.checkpoint(() => {
      const { passive, truncate } = checkpoint
      const due = truncates ? truncate : passive
      truncates = false
      due.get()
    })
  }
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const commits = new GroupCommit(
    {
      db: over(),
      begin: () => {
        requirePlace()
        log.mend()
        shortenLog()
        begin.run()
      },
      commit: () => void commit.run(),
      rollback: () => {
        // SQLite itself rolls back when a disk is full or fails.
        if (database.inTransaction) database.exec('rollback')
      },
      flush: log.flush,
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
    close: () => {
      // Closing moves the log into the database.
      log.mend()
      log.close()
      database.close()
    },
  }
}

async function bringUpToDate(database: Database.Database): Promise<void> {
  const db = sqliteSql(database)()
  database.exec('begin immediate')
  await db.rows(`create table if not exists ${MIGRATIONS_TABLE} ${MIGRATIONS_COLUMNS}`)
  await migrate(db, 'blob')
  database.exec('commit')
}
