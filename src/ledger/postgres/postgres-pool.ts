import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import type { StoreLoad } from '../store/store.ts'
import { withSettings } from './postgres-url.ts'

export interface PoolOptions {
  readonly url: string
  readonly max: number
  readonly waitMs: number
  /** The longest a statement waits for its reply; after that its connection is closed. */
  readonly replyMs: number
  /** Settings of every session; sent as the connection starts, without a round trip. */
  readonly settings: Readonly<Record<string, string | number>>
}

export interface PostgresConnection {
  query(text: string, values: readonly unknown[]): Promise<QueryResult>
  release(): void
}

export interface PostgresPool {
  readonly load: StoreLoad
  connect(): Promise<PostgresConnection>
  end(): Promise<void>
}

const IDLE_MS = 60_000
/** Connections are renewed, so that replicas reach a server that took over under the same host name. */
const LIFETIME_S = 1_800

/**
 * Bounded. `pg` alone would end the process when a connection breaks, and reuse one whose last statement was never
 * answered.
 */
export function openPool(options: PoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: withSettings(options.url, options.settings),
    fallback_application_name: 'format-checker',
    max: options.max,
    connectionTimeoutMillis: options.waitMs,
    query_timeout: options.replyMs,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
  })
  // Without listeners an error ends the process. The statement on a broken connection fails, and the pool drops it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  // `pool.end` never answers callers that wait for a connection, so it is called once none is used or awaited.
  const uses = new Set<Promise<void>>()
  let ended: Promise<void> | null = null
  const end = async () => {
    await Promise.all(uses)
    await pool.end()
  }
  return {
    load: {
      waiting: () => pool.waitingCount,
      connections: () => ({ open: pool.totalCount, used: pool.totalCount - pool.idleCount }),
    },
    connect: async () => {
      if (ended !== null) throw new Error('the pool is closed')
      const { promise, resolve } = Promise.withResolvers<void>()
      uses.add(promise)
      promise.then(() => uses.delete(promise))
      try {
        return givenUpWhenBroken(await pool.connect(), resolve)
      } catch (error) {
        resolve()
        throw error
      }
    },
    end: () => {
      ended ??= end()
      return ended
    },
  }
}

/** After any error that the server itself did not report, the connection is closed instead of pooled again. */
function givenUpWhenBroken(client: PoolClient, released: () => void): PostgresConnection {
  let broken = false
  return {
    query: async (text, values) => {
      if (broken) throw new Error('the connection was given up')
      try {
        return await client.query(text, [...values])
      } catch (error) {
        broken = !(error instanceof DatabaseError)
        throw error
      }
    },
    release: () => {
      client.release(broken)
      released()
    },
  }
}
