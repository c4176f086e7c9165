import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type RawErrorResponse, rawErrorResponse, rawResponseText } from '../http/body/raw-error-response.ts'
import { endAfterAnswer } from '../http/limits/connection-lane.ts'
import {
  type ConnectionLimits,
  type ConnectionObserver,
  type IdleConnections,
  limitConnections,
  UNOBSERVED,
} from '../http/limits/connection-limits.ts'
import { type Pace, paceRequests, type Traffic } from '../http/limits/pace-requests.ts'
import { requireOneHost } from '../http/one-host.ts'

export interface ListenLimits extends ConnectionLimits, Pick<Pace, 'mostAtOnce' | 'mostUnderWay'> {
  /** Time for the head of a request, from its first byte or from the connection. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long a connection may be silent in both directions, also while a response is pending. */
  readonly silenceMs: number
  /** How often the first two are checked. */
  readonly checkMs: number
  /** Whether another process may listen on the same port, as the successor does in an update (Linux). */
  readonly sharesPort: boolean
}

const LISTEN_LIMITS: ListenLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  // Twice what a settlement and then a copy of its request may wait.
  silenceMs: 120_000,
  checkMs: 5_000,
  sharesPort: false,
  mostConnections: 10_000,
  mostPerAddress: 0,
  mostAtOnce: 4,
  mostUnderWay: 64,
}

/** Room for a payment with its extensions; above it Node answers 431. */
const HEADER_LIMIT_BYTES = 32 * 1024
/** Longer than load balancers keep an idle connection. */
const KEEP_ALIVE_MS = 75_000

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

/** Responses to requests that Node itself refuses; the connection is closed after them. */
const REFUSALS: Readonly<Record<string, RawErrorResponse>> = {
  HPE_HEADER_OVERFLOW: rawErrorResponse('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: rawErrorResponse('request_timeout'),
}
const BAD_REQUEST = rawErrorResponse('request_malformed')

export interface PacedServer extends Server {
  /** Serves on, and ends each connection with its next answer, so that clients go elsewhere before the port closes. */
  drain(): void
}

/** Resolves once the server listens; `port` 0 picks a free one. Rejects if the port is not available. */
export function listen(
  listener: RequestListener,
  host: string,
  port: number,
  limits: Partial<ListenLimits> = {},
  observer: ConnectionObserver = UNOBSERVED,
  traffic?: Traffic,
): Promise<PacedServer> {
  const settings = { ...LISTEN_LIMITS, ...limits }
  const { headersMs, requestMs, silenceMs, checkMs, mostAtOnce, mostUnderWay } = settings
  const idle: IdleConnections = new Set()
  const pace = paceRequests(requireOneHost(listener), {
    mostAtOnce,
    mostUnderWay,
    idle,
    observer,
    traffic: {
      // What is under way when the server closes has little time left.
      heldMs: (req) => (traffic !== undefined && server.listening ? traffic.heldMs(req) : 0),
      add: (...taken) => traffic?.add(...taken),
    },
  })
  const server: Server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    pace.handle,
  )
  // A client that never reads its responses would otherwise keep its connection and their memory.
  server.timeout = silenceMs
  server.on('connection', pace.open)
  // Node's own, which its "close" calls too, takes a connection for idle whose bytes wait for their turn.
  server.closeIdleConnections = pace.closeIdle
  limitConnections(server, settings, idle, observer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    if (endAfterAnswer(socket as Socket)) return
    socket.end(rawResponseText(REFUSALS[error.code ?? ''] ?? BAD_REQUEST))
    // After a fault nothing more is parsed, but what arrives late would still be served, and charged.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: settings.sharesPort }, () => {
      server.off('error', reject)
      resolve(Object.assign(server, { drain: pace.end }))
    })
  })
}

export const connectionsOf = (config: {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}): Partial<ListenLimits> => ({
  mostConnections: config.maxConnections || Number.POSITIVE_INFINITY,
  mostPerAddress: config.maxConnectionsPerAddress,
})

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** How often idle connections are closed during shutdown; Node keeps them open for their next request. */
const SWEEP_MS = 50
/** A turn of the event loop so short has just accepted whatever the system had for us. */
const SHORT_TURN_MS = 0.2
const MOST_TURNS = 1_000

/** Stops accepting, waits at most `graceMs` for calls in flight, then closes what is left. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await shortTurn()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(force)
  clearInterval(sweep)
}

/** Resolves after a short turn of the loop: what the system took and we did not accept is reset when the port closes. */
async function shortTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const begun = performance.now()
    await setImmediate()
    if (performance.now() - begun < SHORT_TURN_MS) return
  }
}
