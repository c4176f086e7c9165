import { once } from 'node:events'
import { Server, type ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type RawErrorResponse, rawErrorResponse, rawResponseText } from '../http/body/raw-error-response.ts'
import { LIST_BODY_LIMIT } from '../http/body/read-body.ts'
import {
  type ConnectionLimits,
  type ConnectionObserver,
  type IdleConnections,
  limitConnections,
  UNOBSERVED,
} from '../http/limits/connection-limits.ts'
import { oneRequestEach, type RequestLimits, type Requests } from '../http/limits/one-request.ts'
import { UNLIMITED } from '../http/limits/traffic-budget.ts'
import type { Handler } from '../http/middleware.ts'
import { requireOneHost } from '../http/one-host.ts'
import { requestLines } from '../http/request-line.ts'

export interface ListenOptions extends ConnectionLimits, Omit<RequestLimits, 'idle' | 'giveUp'> {
  readonly host: string
  readonly port: number
  /** Time for the head of a request, from its first byte or from the connection. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long a connection may be silent in both directions, also while a response is pending. */
  readonly silenceMs: number
  readonly checkMs: number
  /** Whether another process may listen on the same port, as the successor does in an update (Linux). */
  readonly sharesPort: boolean
  readonly observer: ConnectionObserver
}

const DEFAULTS = {
  headersMs: 15_000,
  requestMs: 30_000,
  // Twice what a settlement and then a copy of its request may wait.
  silenceMs: 120_000,
  checkMs: 5_000,
  sharesPort: false,
  mostConnections: 10_000,
  mostPerAddress: 0,
  mostHeld: 64 * LIST_BODY_LIMIT,
  observer: UNOBSERVED,
  traffic: UNLIMITED,
} as const satisfies Partial<ListenOptions>

/** Room for a payment with its extensions; above it Node answers 431. */
const HEADER_LIMIT_BYTES = 32 * 1024
/** Longer than load balancers keep an idle connection. */
const KEEP_ALIVE_MS = 75_000

const REFUSALS: Readonly<Record<string, RawErrorResponse>> = {
  HPE_HEADER_OVERFLOW: rawErrorResponse('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: rawErrorResponse('request_timeout'),
}
const BAD_REQUEST = rawErrorResponse('request_malformed')

export class HttpServer extends Server {
  readonly #requests: Requests

  constructor(options: ServerOptions, requests: Requests) {
    super(options, requests.handle)
    this.#requests = requests
    this.on('connection', requests.open)
    // Node's own answer, 417, would pass every limit; an expectation may be passed over (RFC 9110, 10.1.1).
    this.on('checkExpectation', requests.handle)
  }

  /** Serves on, and ends each connection with its next answer, so that clients go elsewhere before the port closes. */
  drain(): void {
    this.#requests.end()
  }

  /** Also called by `close`. Node's own would close a connection whose last answer has not left. */
  override closeIdleConnections(): void {
    this.#requests.closeIdle()
  }
}

/** Resolves once the server listens. Rejects if the port is not available. */
export async function listen(
  listener: Handler,
  given: Partial<ListenOptions> & Pick<ListenOptions, 'host' | 'port'>,
): Promise<HttpServer> {
  const options: ListenOptions = { ...DEFAULTS, ...given }
  const { headersMs, requestMs, silenceMs, checkMs, host, port, sharesPort, observer } = options
  const idle: IdleConnections = new Set()
  const giveUp = (socket: Socket) =>
    void server.emit('clientError', { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  const lines = requestLines()
  const requests = oneRequestEach(requireOneHost(listener, lines.isOdd), { ...options, idle, giveUp })
  const settings = {
    maxHeaderSize: HEADER_LIMIT_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = new HttpServer(settings, requests)
  server.on('connection', lines.watch)
  // A client that never reads its responses would otherwise keep its connection and their memory.
  server.timeout = silenceMs
  limitConnections(server, options, idle, observer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ECONNRESET' && requests.endAfterAnswer(socket as Socket)) return
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    socket.end(rawResponseText(REFUSALS[error.code ?? ''] ?? BAD_REQUEST))
    // Node parses nothing after any other fault; the rest of a late request would still be served, and charged.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy()
  })
  server.listen({ port, host, reusePort: sharesPort })
  await once(server, 'listening')
  return server
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** How often connections that became idle are closed during shutdown; Node keeps them open for their next request. */
const SWEEP_MS = 50
/** In a turn of the event loop as short as this no connection was left to accept. */
const SHORT_TURN_MS = 0.2
const MOST_TURNS = 1_000

/** Stops accepting, waits at most `graceMs` for calls in flight, then closes what is left. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await shortTurn()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(force)
  clearInterval(sweep)
}

/** When the port closes, the system resets connections that this process has not accepted yet. */
async function shortTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const begun = performance.now()
    await setImmediate()
    if (performance.now() - begun < SHORT_TURN_MS) return
  }
}
