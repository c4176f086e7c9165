import { openPool } from './postgres-pool.ts'

export interface PostgresLock {
  /**
   * Does the work while no other process does any under this name. Rejects, and does nothing, if the lock is not
   * available: the database does not answer, or another process holds the lock for too long.
   *
   * One piece of work at a time: a caller in the same process waits for the connection no longer than for the lock.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface PostgresLockOptions {
  readonly url: string
  readonly name: string
  /** The longest to wait for the database, and for the holder of the lock. */
  readonly waitMs: number
  /** The longest work may take; then the server ends the connection and releases the lock. */
  readonly holdMs: number
}

/**
 * A transaction's advisory lock (PostgreSQL manual, 13.3.5), on a connection of its own: the server releases it when
 * the transaction ends, in whatever way, so a process that dies blocks no other.
 */
export function openPostgresLock({ url, name, waitMs, holdMs }: PostgresLockOptions): PostgresLock {
  const pool = openPool({
    url,
    max: 1,
    waitMs,
    replyMs: waitMs + 1_000,
    settings: { lock_timeout: waitMs, idle_in_transaction_session_timeout: holdMs },
  })
  return {
    async run(work) {
      const connection = await pool.connect()
      try {
        await connection.query('begin', [])
        await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
        const result = await work()
        // The work is done even if the lock was lost.
        await connection.query('commit', []).catch(() => {})
        return result
      } catch (error) {
        await connection.query('rollback', []).catch(() => {})
        throw error
      } finally {
        connection.release()
      }
    },
    close: () => pool.end(),
  }
}
