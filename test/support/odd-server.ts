import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers one request in whatever way a test wants to see survived. */
export type Behaviour = (response: ServerResponse, request: SeenRequest, socket: Socket) => void

export interface OddServer {
  readonly url: string
  readonly seen: SeenRequest[]
  /** How many connections were ever opened to it. */
  connections(): number
  behave(how: Behaviour): void
  /** Closes idle connections, as a server does after its keep-alive time. */
  closeIdle(): void
  stop(): Promise<void>
}

export const sendJson =
  (body: unknown, status = 200): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** An HTTP server on loopback that follows a script and records its requests. */
export async function startOddServer(): Promise<OddServer> {
  const seen: SeenRequest[] = []
  let connections = 0
  let behaviour: Behaviour = sendJson({})
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { method = '', url = '', headers, socket } = request
        const asked = { method, path: url, headers, body }
        seen.push(asked)
        behaviour(response, asked, socket)
      },
      () => {},
    )
  })
  server.on('connection', () => {
    connections += 1
  })
  const listening = await listenOnLoopback(server)
  return {
    ...listening,
    seen,
    connections: () => connections,
    behave: (how) => {
      behaviour = how
    },
    closeIdle: () => server.closeIdleConnections(),
  }
}
