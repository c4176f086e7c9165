import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Room for a payment proof with its extensions; over it Node answers 431. */
const HEADER_LIMIT_BYTES = 32 * 1024
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than what load balancers keep an idle connection for. */
const KEEP_ALIVE_MS = 75_000

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

/** What Node's own refusals say, in the form of every other error; the connection is closed after them. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are larger than 32 kB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}
const BAD_REQUEST = ['400 Bad Request', 'The request is not HTTP.'] as const

/** Listens and resolves once it does; `port` 0 picks a free one. Rejects when the port cannot be had. */
export function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const [status, detail] = REFUSALS[error.code ?? ''] ?? BAD_REQUEST
    const body = JSON.stringify({
      type: 'about:blank',
      title: status.slice(4),
      status: Number(status.slice(0, 3)),
      detail,
    })
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

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
