import type { Sql } from '../store/sql.ts'
import type { LedgerClock } from '../store/store.ts'

export interface ServerClock extends LedgerClock {
  /** Reads the server's time again, so that the drift does not add up. */
  readonly sync: (db: Sql) => Promise<void>
}

/**
 * The time of the PostgreSQL server, carried on by this process's monotonic clock, so that replicas with different wall
 * clocks agree.
 */
export async function openServerClock(db: Sql): Promise<ServerClock> {
  let offset = 0
  const clock: ServerClock = {
    now: () => Math.floor(performance.now() + offset),
    sync: async (connection) => {
      const asked = performance.now()
      const [server] = await connection.rows<{ ms: string }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms',
      )
      offset = Number(server?.ms) - (asked + performance.now()) / 2
    },
  }
  await clock.sync(db)
  return clock
}
