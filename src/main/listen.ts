import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawErrorResponse, rawErrorResponse, refusalText } from '../http/body/raw-error-response.ts'
import { type ConnectionLimits, limitConnections, limitPipelines } from '../http/limits/connection-limits.ts'

export interface ListenLimits extends ConnectionLimits {
  /** Until the head of a request has to be whole, from the first byte of it or of the connection. */
  readonly headersMs: number
  /** Until all of a request has to be there. */
  readonly requestMs: number
  /** How long a connection may carry nothing in either direction, answers under way included. */
  readonly silenceMs: number
  /** How often connections are held against the first two. */
  readonly checkMs: number
}

export const LISTEN_LIMITS: ListenLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  // Twice what a settlement and a copy of its request may wait, one behind the other.
  silenceMs: 120_000,
  checkMs: 5_000,
  mostConnections: 10_000,
  mostPerAddress: 0,
  mostUnderWay: 64,
}

/** Room for a payment proof with its extensions; over it Node answers 431. */
const HEADER_LIMIT_BYTES = 32 * 1024
/** Longer than what load balancers keep an idle connection for. */
const KEEP_ALIVE_MS = 75_000

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

/** What Node's own refusals say, in the form of every other error; the connection is closed after them. */
const REFUSALS: Readonly<Record<string, RawErrorResponse>> = {
  HPE_HEADER_OVERFLOW: rawErrorResponse(431, 'The request headers are larger than 32 kB.'),
  ERR_HTTP_REQUEST_TIMEOUT: rawErrorResponse(408, 'The request did not arrive in time.'),
}
const BAD_REQUEST = rawErrorResponse(400, 'The request is not HTTP.')

/** Listens and resolves once it does; `port` 0 picks a free one. Rejects when the port cannot be had. */
export function listen(
  listener: RequestListener,
  host: string,
  port: number,
  limits: Partial<ListenLimits> = {},
): Promise<Server> {
  const { headersMs, requestMs, silenceMs, checkMs, mostUnderWay, ...most } = { ...LISTEN_LIMITS, ...limits }
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    limitPipelines(listener, mostUnderWay),
  )
  // Who never reads his answers would otherwise keep his connection, and them, for ever.
  server.timeout = silenceMs
  limitConnections(server, most)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    socket.end(refusalText(REFUSALS[error.code ?? ''] ?? BAD_REQUEST))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

/** The limits an operator can set. */
export const connectionsOf = (config: {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}): Partial<ListenLimits> => ({
  mostConnections: config.maxConnections || Number.POSITIVE_INFINITY,
  mostPerAddress: config.maxConnectionsPerAddress,
})

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** How often connections whose answer has left are looked for while closing: Node keeps them for their next request. */
const SWEEP_MS = 50

/** Stops accepting, lets calls under way finish for at most `graceMs`, then closes what is left. */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs)
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearTimeout(force)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
