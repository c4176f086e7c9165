import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOOPBACK_NAMES, namesThisMachine } from '../loopback.ts'

export interface LocalServer {
  /** Base URL on loopback, without a trailing slash. */
  readonly url: string
  /** Stops listening; resolves when every connection has ended. */
  stop(): Promise<void>
}

/**
 * Whether a request was made on this machine's behalf: to a local host name and, if a browser sent it, by a local page.
 *
 * A foreign page can send requests to loopback, and by DNS rebinding also read the answers; then the Host header is
 * still the page's own name.
 */
function isFromThisMachine({ headers: { host, origin } }: IncomingMessage): boolean {
  return (
    namesThisMachine(host) &&
    (origin === undefined || LOOPBACK_NAMES.includes(URL.parse(origin)?.hostname ?? ''))
  )
}

/** Refuses a request that {@link isFromThisMachine} does not let in. */
function refuseForeign(response: ServerResponse): void {
  const body = JSON.stringify({ error: 'forbidden' })
  response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' }).end(body)
}

/** Forwards requests from this machine to a node, and refuses all others. */
export async function startLoopbackGuard(nodeUrl: string): Promise<LocalServer> {
  const agent = new Agent({ keepAlive: true })
  return listenHere(
    (incoming, response) => {
      const { origin: _, host: __, ...headers } = incoming.headers
      const forwarded = httpRequest(nodeUrl, { method: incoming.method, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      forwarded.on('error', () => response.destroy())
      incoming.pipe(forwarded)
    },
    (server) => {
      server.closeAllConnections()
      agent.destroy()
    },
  )
}

/** Serves requests from this machine on a free loopback port, and refuses all others; `onStop` ends connections. */
export async function listenHere(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  onStop: (server: Server) => void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    if (isFromThisMachine(request)) answer(request, response)
    else refuseForeign(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      onStop(server)
      await closed
    },
  }
}
