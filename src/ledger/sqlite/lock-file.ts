import Database from 'better-sqlite3'

export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/**
 * Keeps a second process off the same store; throws {@link DataDirInUse} if one has it.
 *
 * The file is a SQLite database in an exclusive transaction. The operating system frees its lock however the process ends,
 * so none is left behind, as a file with a pid would be.
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
