import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

export type Database = DatabaseSync

/** What SQLite answers for `synchronous = EXTRA`. */
const EXTRA = 3

/** Names of the results that a file can give: https://sqlite.org/rescode.html */
const RESULTS: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}

/** Extended results of a flush that failed, of a file and of its folder. */
const FAILED_FLUSHES = [1_034, 1_290]

/** After such an error the content of the file on the disk is unknown. */
export const isFailedFlush = (error: unknown): boolean =>
  FAILED_FLUSHES.includes((error as { readonly errcode?: number }).errcode ?? 0)

/**
 * Opens a SQLite file with Node's own driver; an empty path is a temporary file. `waitMs` is how long another process may
 * hold the file. Each write is on disk before it returns: with `FULL` the deletion of the journal, which commits, would not
 * be synced (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openFile(path: string, waitMs: number): Database {
  // SQLite reads a name that begins with "file:" as a URI, whose parameters could turn the file into memory.
  const database = new (loadSqlite().DatabaseSync)(path === '' ? path : resolve(path))
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA synchronous = EXTRA`)
    const { synchronous } = database.prepare('PRAGMA synchronous').get() as { readonly synchronous: number }
    if (synchronous !== EXTRA) throw new Error('SQLite does not sync each write of this file')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The name of SQLite's result; undefined for any other error. */
export function resultName(error: unknown): string | undefined {
  const { errcode } = error as { readonly errcode?: number }
  // The upper bits are the extension of the code.
  return errcode === undefined ? undefined : (RESULTS[errcode & 0xff] ?? `SQLITE_${errcode}`)
}

/** Wraps a function so that it runs as one transaction, which holds the write lock from its start. */
export function inTransaction<Args extends unknown[], Result>(
  database: Database,
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = act(...args)
      database.exec('COMMIT')
      return result
    } catch (error) {
      try {
        database.exec('ROLLBACK')
      } catch {
        // A full disk has ended the transaction already.
      }
      throw error
    }
  }
}

/** Without the warning of Node 22 and 24 that the module is experimental: our use of it is tested on each. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
