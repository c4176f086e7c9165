import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { run } from './postgres.ts'

/** A transaction of another client, which holds its locks until it is ended. */
export async function holdTransaction(url: string, ...statements: readonly string[]) {
  const client = new Client({ connectionString: url })
  // The server may be killed under it.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  for (const statement of statements) await client.query(statement)
  return {
    end: async (how: 'commit' | 'rollback') => {
      await client.query(how)
      await client.end()
    },
    abandon: () => client.end().catch(() => {}),
  }
}

/** Resolves once so many sessions of the database wait for a lock. */
export async function whenBlocked(url: string, sessions = 1): Promise<void> {
  for (;;) {
    const rows = await run(
      url,
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= sessions) return
    await sleep(10)
  }
}
