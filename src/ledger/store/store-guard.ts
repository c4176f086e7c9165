import { Raced } from './raced.ts'
import type { Run } from './store.ts'
import { type StoreFault, StoreUnavailable } from './store-unavailable.ts'

/** A statement was asked for what no caller may ask. */
export abstract class CallerDefect extends Error {}

/** Whatever a run throws, except a defect or {@link Raced}, becomes the cause of a {@link StoreUnavailable}. */
export const guardWith =
  (message: string) =>
  (run: Run): Run =>
  async (work) => {
    try {
      return await run(work)
    } catch (error) {
      if (error instanceof CallerDefect || error instanceof Raced) throw error
      throw new StoreUnavailable(message, { cause: error, fault: faultOf(error) })
    }
  }

/** SQLite: sqlite.org/rescode.html. PostgreSQL: 53100 disk_full, 25006 read_only_sql_transaction. */
function faultOf(error: unknown): StoreFault {
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string') return 'no_answer'
  if (code === 'SQLITE_FULL' || code === '53100') return 'full'
  return code.startsWith('SQLITE_READONLY') || code === '25006' ? 'read_only' : 'no_answer'
}
