import Database from 'better-sqlite3'

export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/**
 * Throws {@link DataDirInUse} if a second process has the store. The file is a SQLite database in an exclusive
 * transaction: the system frees its lock however the process ends, unlike a file with a pid.
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
