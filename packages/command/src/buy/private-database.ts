import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { makeFolder } from '../../../../src/files/make-folder.ts'
import { type Database, openFile, resultName } from './sqlite-file.ts'

/** A kind of SQLite file that a buyer keeps. */
export interface PrivateDatabaseKind {
  readonly schema: string
  /** True if a missing folder is created, with mode 0700. */
  readonly makesFolder: boolean
  /** A table of one row with the owner's columns and `salt`. */
  readonly owner: { readonly table: string; readonly columns: Readonly<Record<string, string | number>> }
  /** Messages for a file that cannot be used. */
  readonly faults: {
    /** Another process has it open. */
    readonly busy: string
    /** The file is no such database. */
    readonly foreign: string
    /** The file belongs to another owner. */
    readonly other: string
    readonly unwritable: (code: string) => string
  }
}

export interface PrivateDatabase {
  readonly database: Database
  /** A keyed hash of a text, stable for this file. With the file guesses can be tested against it. */
  keyOf(text: string): string
}

const KEY_BYTES = 16

/**
 * Opens or creates the file, with mode 0600; without a path the database is deleted when it is closed. Each write is
 * synced before it returns, and the file is locked until it is closed. Throws {@link UsageError} if it cannot be used.
 */
export function openPrivateDatabase(path: string | null, kind: PrivateDatabaseKind): PrivateDatabase {
  const { faults } = kind
  if (path !== null) createForOwner(path, kind)
  let database: Database | undefined
  try {
    database = openFile(path ?? '', 0)
    // Deleted rows are overwritten, because guesses can be tested against the hashes in them.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON')
    // Takes the lock, which is held until the file is closed.
    database.exec('BEGIN EXCLUSIVE; COMMIT')
    database.exec(kind.schema)
    const salt = identify(database, kind)
    const keyOf = (text: string) =>
      createHmac('sha256', salt).update(text).digest().subarray(0, KEY_BYTES).toString('base64url')
    return { database, keyOf }
  } catch (error) {
    database?.close()
    const code = resultName(error)
    if (code === undefined) throw error
    if (code === 'SQLITE_BUSY') throw new UsageError(faults.busy)
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') throw new UsageError(faults.foreign)
    throw new UsageError(faults.unwritable(code))
  }
}

/** Creates the file before SQLite would, which would make it readable by others. */
function createForOwner(path: string, { makesFolder, faults }: PrivateDatabaseKind): void {
  try {
    if (makesFolder) makeFolder(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new UsageError(faults.unwritable((error as NodeJS.ErrnoException).code ?? 'unknown'))
  }
}

/** Returns the salt of the keys; a new file gets its owner. */
function identify(database: Database, { owner, faults }: PrivateDatabaseKind): Uint8Array {
  const { table, columns } = owner
  const known = database.prepare(`SELECT * FROM ${table}`).get() as
    | (Record<string, unknown> & { readonly salt: Uint8Array })
    | undefined
  if (known === undefined) {
    const salt = randomBytes(32)
    const row = { ...columns, salt }
    const names = Object.keys(row)
    const values = names.map((name) => `@${name}`)
    database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`).run(row)
    return salt
  }
  if (Object.entries(columns).some(([name, value]) => known[name] !== value))
    throw new UsageError(faults.other)
  return known.salt
}
