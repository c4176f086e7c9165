/** Results of a flush that failed (sqlite.org/rescode.html): of a file, and of the name of one in its folder. */
const FAILED_FLUSHES = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

/** Ends the process; where it returns, as in tests, the store refuses every further call. */
export type OnFailedFlush = () => void

export type Touch = <T>(act: () => T) => T

/**
 * Runs each access to the store until a flush fails. Then the content of the disk is unknown, and a commit behind the
 * hole could damage the database: it calls `onFailedFlush`, which ends the process as PostgreSQL does, and refuses
 * further access. The next start writes the log again.
 */
export function touchUntilFailedFlush(onFailedFlush: OnFailedFlush): Touch {
  let hasFailed = false
  return (act) => {
    if (hasFailed) throw new Error('a flush of the store failed; start the process again')
    try {
      return act()
    } catch (error) {
      if (FAILED_FLUSHES.includes(String((error as { readonly code?: unknown }).code))) {
        hasFailed = true
        onFailedFlush()
      }
      throw error
    }
  }
}
