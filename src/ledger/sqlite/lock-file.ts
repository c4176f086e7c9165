import Database from 'better-sqlite3'

/** Thrown at startup when another living process holds the data directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/**
 * Keeps a second process off the same store.
 *
 * The file is a SQLite database of its own, held in an exclusive transaction: the operating system lets the lock go
 * with the process, however it ends, so nothing stale can be left behind, not even where every process has the same
 * pid. Throws {@link DataDirInUse} when it is held.
 */
export function holdLockFile(path: string): { release(): void } {
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new DataDirInUse('another process already uses this DATA_DIR; one SQLite store serves one process')
  }
  return { release: () => database.close() }
}
