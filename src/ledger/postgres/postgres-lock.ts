import { openPool } from './postgres-pool.ts'

export interface PostgresLock {
  /**
   * Excludes other processes under this name. Rejects, with nothing done, if the database does not answer or the lock
   * is not free in time; callers in this process wait for its one connection.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface PostgresLockOptions {
  readonly url: string
  readonly name: string
  readonly waitMs: number
  /** The longest work may take; after it the server ends the connection, which releases the lock. */
  readonly holdMs: number
}

/**
 * An advisory lock of a transaction (PostgreSQL manual, 13.3.5) on its own connection: the server releases it however
 * the transaction ends.
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
        // Unlike in `postgresSql`, a commit that fails takes nothing back: the work is done.
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
