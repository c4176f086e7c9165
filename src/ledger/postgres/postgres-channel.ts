import { Client } from 'pg'

/** Short messages between the replicas on one database; lost while it is away. */
export interface PostgresChannel {
  /** Sends without waiting; a message that cannot be sent now is dropped. At most {@link MOST_BYTES} bytes. */
  send(text: string): void
  close(): Promise<void>
}

export interface PostgresChannelOptions {
  readonly url: string
  /** An SQL identifier in lower case. */
  readonly name: string
  /** Called with every message, own ones included. */
  readonly onMessage: (text: string) => void
  /** Pause before a lost connection is opened again. */
  readonly pauseMs?: number
}

/** PostgreSQL refuses longer payloads of NOTIFY (manual, NOTIFY). */
export const MOST_BYTES = 7_999
const PAUSE_MS = 5_000
const CONNECT_MS = 5_000

/** Opens LISTEN and NOTIFY on a connection of their own; nothing is stored. Never rejects: it connects when it can. */
export function openPostgresChannel(options: PostgresChannelOptions): PostgresChannel {
  const { url, name, onMessage, pauseMs = PAUSE_MS } = options
  if (!/^[a-z_]+$/.test(name)) throw new Error('a channel is named by lower-case letters')
  let client: Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new Client({
      connectionString: url,
      application_name: 'format-checker limits',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    const lost = () => {
      if (client === next) client = null
      next.removeAllListeners('notification')
      if (!closed) timer = setTimeout(() => void connect(), pauseMs).unref()
    }
    let isLost = false
    const loseOnce = () => {
      if (isLost) return
      isLost = true
      lost()
    }
    next.on('error', loseOnce)
    next.on('end', loseOnce)
    next.on('notification', ({ payload }) => payload !== undefined && onMessage(payload))
    try {
      await next.connect()
      await next.query(`listen ${name}`)
      if (closed || isLost) return void next.end().catch(() => {})
      client = next
    } catch {
      void next.end().catch(() => {})
      loseOnce()
    }
  }
  void connect()

  return {
    send(text) {
      if (Buffer.byteLength(text) > MOST_BYTES) throw new Error('the message is too long')
      client?.query('select pg_notify($1, $2)', [name, text]).catch(() => {})
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
