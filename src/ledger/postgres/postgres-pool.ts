import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import type { StoreLoad } from '../ledger.ts'
import { withSettings } from './postgres-url.ts'

export interface PoolOptions {
  readonly url: string
  readonly max: number
  /** The longest a caller waits for a connection: for a free one, or for a new one to open. */
  readonly waitMs: number
  /** The longest a statement waits for a reply, after which its connection is given up. */
  readonly replyMs: number
  /** Settings of every session; they go with the start of the connection and cost no round trip. */
  readonly settings: Readonly<Record<string, string | number>>
}

export interface PostgresConnection {
  query(text: string, values: readonly unknown[]): Promise<QueryResult>
  release(): void
}

export interface PostgresPool {
  readonly load: StoreLoad
  connect(): Promise<PostgresConnection>
  /** Waits for connections in use. */
  end(): Promise<void>
}

const IDLE_MS = 60_000
/** Connections are renewed, so that replicas reach a server that took over under the same name. */
const LIFETIME_S = 1_800

/**
 * Bounded connections to one database.
 *
 * `pg` on its own would end the process when a connection breaks while it is in use or idle, and would hand out again
 * a connection whose last statement was never answered; neither happens here.
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
  // A statement on a broken connection fails by itself; the pool drops the connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  // `pool.end` forgets callers that wait for a connection, so it is called when none is used or awaited.
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

/** A connection that is closed, not pooled again, after any error the server itself did not report. */
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
